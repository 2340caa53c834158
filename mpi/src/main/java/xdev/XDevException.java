package xdev;

import java.io.Serial;

/** What the devices of MPJ Express throw, and nothing here. */
public class XDevException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** Without a word. */
  public XDevException() {}

  /** With one. */
  public XDevException(String message) {
    super(message);
  }

  /** Because of something. */
  public XDevException(Throwable cause) {
    super(cause);
  }
}
