package io.busbar.bench.contest;

import io.busbar.linux.Mapping;
import io.busbar.linux.XdpAttachment;
import io.busbar.linux.XdpProgram;
import io.busbar.linux.XdpRing;
import io.busbar.linux.XdpSocket;
import java.lang.foreign.MemorySegment;

/**
 * An AF_XDP socket: frames stand ready in its memory, and are sent again and again. A frame longer
 * than a chunk is in several, and is not put together.
 */
final class BareXdp extends BareFrames {
  private static final int CHUNK = 4096;
  private static final int ENTRIES = 2048;

  private final Mapping mapping = Mapping.anonymous(2L * ENTRIES * CHUNK);
  private final MemorySegment memory = mapping.segment();
  private final XdpSocket socket = new XdpSocket(mapping, CHUNK, ENTRIES);
  private final XdpRing rx = socket.rx();
  private final XdpRing tx = socket.tx();
  private final XdpRing fill = socket.fill();
  private final XdpRing completion = socket.completion();
  private final XdpAttachment attachment;
  private final int perFrame;
  private int next;

  /** Of a frame of which only some chunks have been taken: their bytes. */
  private int whole;

  BareXdp(String name) {
    super(name);
    for (int chunk = 0; chunk < ENTRIES; chunk++) {
      fill.put((long) chunk * CHUNK);
    }
    fill.publish();
    boolean inPieces = device.mtu() + HEAD + 256 > CHUNK;
    socket.bind(device, 0, inPieces);
    boolean _ = socket.sendAtMost(256);
    perFrame = (device.mtu() + HEAD + CHUNK - 1) / CHUNK;
    XdpProgram all = new XdpProgram().loadShort(12).jumpEqual(TYPE, 0, 1).accept().reject();
    attachment = new XdpAttachment(device, 64, all, false); // which is faster on a veth
    attachment.give(0, socket);
  }

  @Override
  void onPeer(long hardware) {
    for (int chunk = ENTRIES; chunk < 2 * ENTRIES; chunk++) {
      writeHead(memory, (long) chunk * CHUNK, hardware);
    }
  }

  /** The chunks of the next frame, which lie side by side. */
  private int chunk() {
    if (next + perFrame > ENTRIES) {
      next = 0;
    }
    int chunk = ENTRIES + next;
    next += perFrame;
    return chunk;
  }

  @Override
  void place(int bytes) {
    long at = (long) chunk() * CHUNK;
    while (tx.room(perFrame) < perFrame) {
      flush();
    }
    for (int left = bytes + HEAD; left > 0; left -= CHUNK) {
      tx.put(at, Math.min(left, CHUNK), left > CHUNK);
      at += CHUNK;
    }
  }

  @Override
  void placeNumber(long value) {
    int chunk = chunk();
    writeNumber(memory, (long) chunk * CHUNK, value);
    tx.put((long) chunk * CHUNK, HEAD + Long.BYTES, false);
  }

  @Override
  void flush() {
    tx.publish();
    do {
      int _ = socket.send();
      while (completion.filled() > 0) {
        completion.next();
      }
      completion.free();
    } while (tx.pending() > 0);
  }

  @Override
  boolean take() {
    if (rx.filled() == 0) {
      return false;
    }
    long at = rx.address();
    int bytes = rx.length();
    boolean goesOn = rx.goesOn();
    rx.next();
    fill.put(at / CHUNK * CHUNK);
    whole += bytes;
    if (!goesOn) {
      onFrame(memory, at, whole);
      whole = 0;
    }
    rx.free();
    fill.publish();
    return true;
  }

  @Override
  public void close() {
    attachment.close();
    socket.close();
    mapping.close();
  }
}
