package io.busbar.node;

import io.busbar.fabric.CapturingNic;
import io.busbar.fabric.Nic;
import io.busbar.fabric.PcapFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Puts a capture over an interface where the configuration asks for one. */
final class Captures {
  private Captures() {}

  /**
   * What is used instead of an interface: itself, when nothing is captured.
   *
   * @throws NodeException when the file cannot be made; the interface is closed then
   */
  static Nic over(NodeConfig config, Nic nic) {
    Path folder = config.capture();
    if (folder == null) {
      return nic;
    }
    Path file = folder.resolve("rank-%d-%s.pcap".formatted(config.rank(), nic.fabric()));
    try {
      Files.createDirectories(folder);
      PcapFile to = new PcapFile(file, PcapFile.BYTES_MAX, Captures::tell);
      return new CapturingNic(nic, to, CapturingNic.wallClock());
    } catch (IOException e) {
      nic.close();
      throw new NodeException(
          "cannot capture to %s: %s; name a folder that can be written by %s, or none"
              .formatted(file, e.getMessage(), NodeConfig.CAPTURE),
          e);
    }
  }

  /** Whoever asked for a capture looks at the program's messages, too. */
  private static void tell(String what) {
    System.err.println("busbar: " + what);
  }
}
