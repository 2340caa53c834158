package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node says of itself: behind its {@link MemberRecord} the card's length, how many addresses
 * and attributes there are, and texts of up to 255 bytes of UTF-8: name, host, the addresses, and
 * key and value of each attribute. A card is padded with zeros to a multiple of 8.
 *
 * @param name what the program calls it
 * @param host where it runs
 * @param addresses by which its carriers reach it
 * @param attributes whatever the program adds
 */
public record MemberCard(
    String name, String host, List<String> addresses, Map<String, String> attributes) {
  /** The longest card, with its record. */
  public static final int BYTES_MAX = 1024;

  static final int RECORD_AT = 0;
  static final int LENGTH_AT = 16;
  static final int ADDRESSES_AT = 18;
  static final int ATTRIBUTES_AT = 19;
  static final int ZERO_AT = 20;

  /** Bytes before the texts. */
  static final int HEAD_BYTES = 24;

  private static final int TEXT_BYTES_MAX = 255;

  /** Refuses what no frame can carry. */
  public MemberCard {
    addresses = List.copyOf(addresses);
    attributes = Map.copyOf(attributes);
    int bytes = HEAD_BYTES;
    for (String text : texts(name, host, addresses, attributes)) {
      int length = text.getBytes(StandardCharsets.UTF_8).length;
      if (length > TEXT_BYTES_MAX) {
        throw new IllegalArgumentException(
            "a text of %d bytes; a card has such of %d".formatted(length, TEXT_BYTES_MAX));
      }
      bytes += 1 + length;
    }
    if (bytes > BYTES_MAX) {
      throw new IllegalArgumentException(
          "the card of %s has %d bytes; allowed: %d".formatted(name, bytes, BYTES_MAX));
    }
  }

  private static List<String> texts(
      String name, String host, List<String> addresses, Map<String, String> attributes) {
    List<String> texts = new ArrayList<>();
    texts.add(name);
    texts.add(host);
    texts.addAll(addresses);
    attributes.forEach(
        (key, value) -> {
          texts.add(key);
          texts.add(value);
        });
    return texts;
  }

  /** All but the record, as it is on the wire. */
  public byte[] encoded() {
    byte[] bytes = new byte[BYTES_MAX];
    MemorySegment to = MemorySegment.ofArray(bytes);
    long at = HEAD_BYTES;
    for (String text : texts(name, host, addresses, attributes)) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      to.set(ValueLayout.JAVA_BYTE, at, (byte) utf8.length);
      MemorySegment.copy(utf8, 0, to, ValueLayout.JAVA_BYTE, at + 1, utf8.length);
      at += 1 + utf8.length;
    }
    int length = (int) (at + Long.BYTES - 1) & -Long.BYTES;
    to.set(Le.SHORT, LENGTH_AT, (short) length);
    to.set(ValueLayout.JAVA_BYTE, ADDRESSES_AT, (byte) addresses.size());
    to.set(ValueLayout.JAVA_BYTE, ATTRIBUTES_AT, (byte) attributes.size());
    return Arrays.copyOfRange(bytes, MemberRecord.BYTES, length);
  }

  /** Reads the card of a frame that was found to be well formed. */
  public static MemberCard read(MemorySegment bytes, long at) {
    int addressCount = Le.u8(bytes, at + ADDRESSES_AT);
    int attributeCount = Le.u8(bytes, at + ATTRIBUTES_AT);
    List<String> texts = new ArrayList<>();
    long next = at + HEAD_BYTES;
    for (int i = 0; i < 2 + addressCount + 2 * attributeCount; i++) {
      int length = Le.u8(bytes, next);
      byte[] utf8 = new byte[length];
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, next + 1, utf8, 0, length);
      texts.add(new String(utf8, StandardCharsets.UTF_8));
      next += 1 + length;
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < attributeCount; i++) {
      int key = 2 + addressCount + 2 * i;
      attributes.put(texts.get(key), texts.get(key + 1));
    }
    return new MemberCard(
        texts.get(0), texts.get(1), texts.subList(2, 2 + addressCount), attributes);
  }

  /** Bytes of a card, with its record. */
  public static int length(MemorySegment bytes, long at) {
    return Le.u16(bytes, at + LENGTH_AT);
  }

  /** The same, of what {@link #encoded} gave. */
  public static int length(byte[] encoded) {
    return MemberRecord.BYTES + encoded.length;
  }

  /** How many cards there are; negative when they are not well formed. */
  static int count(MemorySegment bytes, long at, int length) {
    int count = 0;
    long next = at;
    while (next < at + length) {
      int left = (int) (at + length - next);
      if (left < HEAD_BYTES || length(bytes, next) > left || !isSound(bytes, next)) {
        return -1;
      }
      next += length(bytes, next);
      count++;
    }
    return count;
  }

  private static boolean isSound(MemorySegment bytes, long at) {
    int length = length(bytes, at);
    if (length < HEAD_BYTES || length > BYTES_MAX || length % Long.BYTES != 0) {
      return false;
    }
    int texts = 2 + Le.u8(bytes, at + ADDRESSES_AT) + 2 * Le.u8(bytes, at + ATTRIBUTES_AT);
    long next = at + HEAD_BYTES;
    for (int i = 0; i < texts; i++) {
      if (next >= at + length) {
        return false;
      }
      int textBytes = Le.u8(bytes, next);
      if (next + 1 + textBytes > at + length || !isText(bytes, next + 1, textBytes)) {
        return false;
      }
      next += 1 + textBytes;
    }
    boolean ends = at + length - next < Long.BYTES;
    return ends && MemberRecord.isSound(bytes, at) && Le.i32(bytes, at + ZERO_AT) == 0;
  }

  /** Whether it is UTF-8; only a text with other letters than ASCII's costs an allocation. */
  private static boolean isText(MemorySegment bytes, long at, int length) {
    int i = 0;
    while (i < length && bytes.get(ValueLayout.JAVA_BYTE, at + i) >= 0) {
      i++;
    }
    if (i == length) {
      return true;
    }
    byte[] utf8 = new byte[length];
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, utf8, 0, length);
    String text = new String(utf8, StandardCharsets.UTF_8);
    return Arrays.equals(utf8, text.getBytes(StandardCharsets.UTF_8));
  }
}
