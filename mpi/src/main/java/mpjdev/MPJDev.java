package mpjdev;

/** MPJ Express's device, which is not here: some programs import it and do nothing with it. */
public final class MPJDev {
  private MPJDev() {}
}
