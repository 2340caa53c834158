package mpi;

import java.nio.Buffer;

/** Files that processes read and write together. Not here: every call refuses. */
public final class File {
  private static MPIException later(String call) {
    return BusbarErrors.refusal(
        "File." + call, "MPI files are not part of Busbar; use java.nio.file");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public File(Comm arg0, String arg1, int arg2) throws MPIException {
    throw later("File");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public File(Comm arg0, String arg1, int arg2, Info arg3) throws MPIException {
    throw later("File");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void close() throws MPIException {
    throw later("close");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public static void delete(String arg0) throws MPIException {
    throw later("delete");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public static void delete(String arg0, Info arg1) throws MPIException {
    throw later("delete");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setSize(long arg0) throws MPIException {
    throw later("setSize");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void preallocate(long arg0) throws MPIException {
    throw later("preallocate");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public long getSize() throws MPIException {
    throw later("getSize");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Group getGroup() throws MPIException {
    throw later("getGroup");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public int getAMode() throws MPIException {
    throw later("getAMode");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setInfo(Info arg0) throws MPIException {
    throw later("setInfo");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Info getInfo() throws MPIException {
    throw later("getInfo");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setView(long arg0, Datatype arg1, Datatype arg2, String arg3) throws MPIException {
    throw later("setView");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setView(long arg0, Datatype arg1, Datatype arg2, String arg3, Info arg4)
      throws MPIException {
    throw later("setView");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public FileView getView() throws MPIException {
    throw later("getView");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAt(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("readAt");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAtAll(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("readAtAll");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAt(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("writeAt");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAtAll(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("writeAtAll");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iReadAt(long arg0, Buffer arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("iReadAt");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iReadAtAll(long arg0, Buffer arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("iReadAtAll");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWriteAt(long arg0, Buffer arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("iWriteAt");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWriteAtAll(long arg0, Buffer arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("iWriteAtAll");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status read(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("read");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAll(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("readAll");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status write(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("write");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAll(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("writeAll");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iRead(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("iRead");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iReadAll(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("iReadAll");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWrite(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("iWrite");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWriteAll(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("iWriteAll");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void seek(long arg0, int arg1) throws MPIException {
    throw later("seek");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public long getPosition() throws MPIException {
    throw later("getPosition");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public long getByteOffset(long arg0) throws MPIException {
    throw later("getByteOffset");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readShared(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("readShared");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeShared(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("writeShared");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iReadShared(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("iReadShared");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWriteShared(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("iWriteShared");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readOrdered(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("readOrdered");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeOrdered(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("writeOrdered");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void seekShared(long arg0, int arg1) throws MPIException {
    throw later("seekShared");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public long getPositionShared() throws MPIException {
    throw later("getPositionShared");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void readAtAllBegin(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("readAtAllBegin");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAtAllEnd(Object arg0) throws MPIException {
    throw later("readAtAllEnd");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void writeAtAllBegin(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    throw later("writeAtAllBegin");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAtAllEnd(Object arg0) throws MPIException {
    throw later("writeAtAllEnd");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void readAllBegin(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("readAllBegin");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAllEnd(Object arg0) throws MPIException {
    throw later("readAllEnd");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void writeAllBegin(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("writeAllBegin");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAllEnd(Object arg0) throws MPIException {
    throw later("writeAllEnd");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void readOrderedBegin(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("readOrderedBegin");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readOrderedEnd(Object arg0) throws MPIException {
    throw later("readOrderedEnd");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void writeOrderedBegin(Object arg0, int arg1, Datatype arg2) throws MPIException {
    throw later("writeOrderedBegin");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeOrderedEnd(Object arg0) throws MPIException {
    throw later("writeOrderedEnd");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public int getTypeExtent(Datatype arg0) throws MPIException {
    throw later("getTypeExtent");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setAtomicity(boolean arg0) throws MPIException {
    throw later("setAtomicity");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public boolean getAtomicity() throws MPIException {
    throw later("getAtomicity");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void sync() throws MPIException {
    throw later("sync");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setErrhandler(Errhandler arg0) throws MPIException {
    throw later("setErrhandler");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Errhandler getErrhandler() throws MPIException {
    throw later("getErrhandler");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void callErrhandler(int arg0) throws MPIException {
    throw later("callErrhandler");
  }
}
