package io.busbar.fabric.shm;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.ProcFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What two processes have in common that may meet in shared memory: one kernel, since one boot, and
 * one network namespace. Namespaces of one machine see the same files, but are hosts of their own.
 *
 * @param boot a hash of the kernel's boot id
 * @param network the inode of the network namespace
 */
public record HostIdentity(long boot, long network) {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path NETWORK = Path.of("/proc/thread-self/ns/net");

  /** Of the calling thread, which may have a network namespace of its own. */
  public static HostIdentity current() {
    try {
      String boot = ProcFile.read(BOOT_ID);
      String network = Files.readSymbolicLink(NETWORK).toString(); // net:[4026531840]
      return new HostIdentity(hash(boot), Long.parseLong(network.replaceAll("[^0-9]", "")));
    } catch (IOException e) {
      throw new FabricException(
          "cannot tell which host this is: %s; is /proc mounted?".formatted(e), e);
    }
  }

  /** FNV-1a, 64 bits. */
  private static long hash(String text) {
    long hash = 0xCBF2_9CE4_8422_2325L;
    for (byte b : text.getBytes(StandardCharsets.US_ASCII)) {
      hash = (hash ^ (b & 0xFF)) * 0x100_0000_01B3L;
    }
    return hash;
  }
}
