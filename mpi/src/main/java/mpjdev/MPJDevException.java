package mpjdev;

import java.io.Serial;
import xdev.XDevException;

/** What the device of MPJ Express throws, and nothing here. */
public class MPJDevException extends XDevException {
  @Serial private static final long serialVersionUID = 1;

  /** Without a word. */
  public MPJDevException() {}

  /** With one. */
  public MPJDevException(String message) {
    super(message);
  }

  /** Because of something. */
  public MPJDevException(Throwable cause) {
    super(cause);
  }
}
