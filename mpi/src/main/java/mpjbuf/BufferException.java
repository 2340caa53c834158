package mpjbuf;

import java.io.Serial;

/**
 * What buffers of MPJ Express throw, and these never do. Unchecked, so that what catches it and
 * what does not both compile.
 */
public class BufferException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** Without a word. */
  public BufferException() {}

  /** With one. */
  public BufferException(String message) {
    super(message);
  }

  /** With one, and why. */
  public BufferException(String message, Throwable cause) {
    super(message, cause);
  }
}
