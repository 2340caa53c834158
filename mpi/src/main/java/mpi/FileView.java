package mpi;

/** How a file is seen. */
public final class FileView {
  private final long disp;
  private final Datatype etype;
  private final Datatype filetype;
  private final String datarep;

  /** With all of it. */
  public FileView(long disp, Datatype etype, Datatype filetype, String datarep) {
    this.disp = disp;
    this.etype = etype;
    this.filetype = filetype;
    this.datarep = datarep;
  }

  /** Where it begins. */
  public long getDisp() {
    return disp;
  }

  /** What its elements are. */
  public Datatype getEType() {
    return etype;
  }

  /** Which of them are seen. */
  public Datatype getFileType() {
    return filetype;
  }

  /** How they are written. */
  public String getDataRep() {
    return datarep;
  }
}
