package mpi;

import java.nio.Buffer;

/** Files that processes read and write together. Not here: every call refuses. */
public final class File {
  private static MPIException later(String call) {
    return Errors.refusal("File." + call, "MPI files are not part of Busbar; use java.nio.file");
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public File(Comm arg0, String arg1, int arg2) throws MPIException {
    Errors.refuse(later("File"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public File(Comm arg0, String arg1, int arg2, Info arg3) throws MPIException {
    Errors.refuse(later("File"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void close() throws MPIException {
    Errors.refuse(later("close"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public static void delete(String arg0) throws MPIException {
    Errors.refuse(later("delete"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public static void delete(String arg0, Info arg1) throws MPIException {
    Errors.refuse(later("delete"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setSize(long arg0) throws MPIException {
    Errors.refuse(later("setSize"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void preallocate(long arg0) throws MPIException {
    Errors.refuse(later("preallocate"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public long getSize() throws MPIException {
    Errors.refuse(later("getSize"));
    return 0;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Group getGroup() throws MPIException {
    Errors.refuse(later("getGroup"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public int getAMode() throws MPIException {
    Errors.refuse(later("getAMode"));
    return 0;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setInfo(Info arg0) throws MPIException {
    Errors.refuse(later("setInfo"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Info getInfo() throws MPIException {
    Errors.refuse(later("getInfo"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setView(long arg0, Datatype arg1, Datatype arg2, String arg3) throws MPIException {
    Errors.refuse(later("setView"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setView(long arg0, Datatype arg1, Datatype arg2, String arg3, Info arg4)
      throws MPIException {
    Errors.refuse(later("setView"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public FileView getView() throws MPIException {
    Errors.refuse(later("getView"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAt(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("readAt"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAtAll(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("readAtAll"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAt(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("writeAt"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAtAll(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("writeAtAll"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iReadAt(long arg0, Buffer arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("iReadAt"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iReadAtAll(long arg0, Buffer arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("iReadAtAll"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWriteAt(long arg0, Buffer arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("iWriteAt"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWriteAtAll(long arg0, Buffer arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("iWriteAtAll"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status read(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("read"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAll(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("readAll"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status write(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("write"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAll(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("writeAll"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iRead(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("iRead"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iReadAll(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("iReadAll"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWrite(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("iWrite"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWriteAll(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("iWriteAll"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void seek(long arg0, int arg1) throws MPIException {
    Errors.refuse(later("seek"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public long getPosition() throws MPIException {
    Errors.refuse(later("getPosition"));
    return 0;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public long getByteOffset(long arg0) throws MPIException {
    Errors.refuse(later("getByteOffset"));
    return 0;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readShared(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("readShared"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeShared(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("writeShared"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iReadShared(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("iReadShared"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Request iWriteShared(Buffer arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("iWriteShared"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readOrdered(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("readOrdered"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeOrdered(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("writeOrdered"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void seekShared(long arg0, int arg1) throws MPIException {
    Errors.refuse(later("seekShared"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public long getPositionShared() throws MPIException {
    Errors.refuse(later("getPositionShared"));
    return 0;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void readAtAllBegin(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("readAtAllBegin"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAtAllEnd(Object arg0) throws MPIException {
    Errors.refuse(later("readAtAllEnd"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void writeAtAllBegin(long arg0, Object arg1, int arg2, Datatype arg3) throws MPIException {
    Errors.refuse(later("writeAtAllBegin"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAtAllEnd(Object arg0) throws MPIException {
    Errors.refuse(later("writeAtAllEnd"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void readAllBegin(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("readAllBegin"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readAllEnd(Object arg0) throws MPIException {
    Errors.refuse(later("readAllEnd"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void writeAllBegin(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("writeAllBegin"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeAllEnd(Object arg0) throws MPIException {
    Errors.refuse(later("writeAllEnd"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void readOrderedBegin(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("readOrderedBegin"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status readOrderedEnd(Object arg0) throws MPIException {
    Errors.refuse(later("readOrderedEnd"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void writeOrderedBegin(Object arg0, int arg1, Datatype arg2) throws MPIException {
    Errors.refuse(later("writeOrderedBegin"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Status writeOrderedEnd(Object arg0) throws MPIException {
    Errors.refuse(later("writeOrderedEnd"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public int getTypeExtent(Datatype arg0) throws MPIException {
    Errors.refuse(later("getTypeExtent"));
    return 0;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setAtomicity(boolean arg0) throws MPIException {
    Errors.refuse(later("setAtomicity"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public boolean getAtomicity() throws MPIException {
    Errors.refuse(later("getAtomicity"));
    return false;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void sync() throws MPIException {
    Errors.refuse(later("sync"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void setErrhandler(Errhandler arg0) throws MPIException {
    Errors.refuse(later("setErrhandler"));
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public Errhandler getErrhandler() throws MPIException {
    Errors.refuse(later("getErrhandler"));
    return null;
  }

  /** Refused: MPI files are not part of Busbar; use java.nio.file. */
  public void callErrhandler(int arg0) throws MPIException {
    Errors.refuse(later("callErrhandler"));
  }
}
