package io.busbar.fabric.udp;

import io.busbar.fabric.NicEvents;
import java.util.ArrayList;
import java.util.List;

/** Keeps what an interface reports. */
final class Recorder implements NicEvents {
  final List<String> warnings = new ArrayList<>();
  final List<String> sizes = new ArrayList<>();

  @Override
  public void onWarning(String what) {
    warnings.add(what);
  }

  @Override
  public void onFrameBytesMax(int peer, int bytes) {
    sizes.add("%d: %d".formatted(peer, bytes));
  }
}
