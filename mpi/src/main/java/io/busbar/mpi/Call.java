package io.busbar.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Locale;

/**
 * A collective as one process calls it: as much of it as has to be the same everywhere.
 *
 * @param name what the standard calls it
 * @param root {@link #NO_ROOT} if it has none
 * @param operation of a reduction; else empty
 * @param data how much, in words; empty if that is not compared
 */
record Call(String name, int root, String operation, String data) {
  static final int NO_ROOT = Integer.MIN_VALUE;

  /** What goes over the wire, filled up with zeros. */
  static final int BYTES = 512;

  private static final int DATA_CHARS_MAX = 300;
  private static final int NAME_CHARS_MAX = 60;
  private static final int PARTS_NAMED_MAX = 16;

  static Call of(String name) {
    return new Call(name, NO_ROOT, "", "");
  }

  Call at(int newRoot) {
    return new Call(name, newRoot, operation, data);
  }

  /** One whose end is not waited for is another call than one that waits. */
  Call started() {
    return new Call("i" + name, root, operation, data);
  }

  Call with(long count, Datatype type) {
    boolean isObjects = type.base() == Base.OBJECT;
    return withData(count * type.size() + (isObjects ? " objects" : " B"));
  }

  /** With the length of each part. */
  Call with(int[] counts, Datatype type) {
    long total = 0;
    for (int count : counts) {
      total += count;
    }
    String parts =
        counts.length <= PARTS_NAMED_MAX
            ? Arrays.toString(Arrays.stream(counts).mapToLong(n -> n * type.size()).toArray())
            : "#%x".formatted(Arrays.hashCode(counts));
    Call whole = with(total, type);
    return whole.withData(whole.data + " in parts " + parts);
  }

  /** A reduction: what is combined has to be of one kind, too. */
  Call by(Operation by, Datatype type) {
    String of = type.base().name().toLowerCase(Locale.ROOT);
    return new Call(name, root, shortened(by.name(), NAME_CHARS_MAX), data + " of " + of);
  }

  private Call withData(String newData) {
    return new Call(name, root, operation, shortened(newData, DATA_CHARS_MAX));
  }

  private static String shortened(String text, int chars) {
    String plain = text.replace('\t', ' ');
    return plain.length() <= chars ? plain : plain.substring(0, chars) + "…";
  }

  byte[] toBytes() {
    String text = String.join("\t", name, Integer.toString(root), operation, data);
    return Arrays.copyOf(text.getBytes(UTF_8), BYTES);
  }

  static Call read(byte[] bytes) {
    String[] parts = new String(bytes, UTF_8).replace("\0", "").split("\t", -1);
    return new Call(parts[0], Integer.parseInt(parts[1]), parts[2], parts[3]);
  }

  private String rootText() {
    return switch (root) {
      case NO_ROOT -> "";
      case Communicator.ROOT -> "root here";
      case Communicator.NOBODY -> "root beside";
      default -> "root " + root;
    };
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String part : new String[] {rootText(), operation, data}) {
      text.append(text.isEmpty() || part.isEmpty() ? "" : ", ").append(part);
    }
    return "%s(%s)".formatted(name, text);
  }
}
