package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FabricException;
import io.busbar.linux.Fifo;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may meet in shared memory, and what the others are told. */
@Timeout(60)
class SameHostTest {
  private final Folder folder = new Folder();
  private final SegmentFiles files = new SegmentFiles(folder.path.toString());
  private final Station a = new Station(folder);
  private final Station b = new Station(folder);
  private final HostIdentity here = b.nic.address().host();
  private final long token = b.nic.address().token();

  @AfterEach
  void close() {
    try (folder;
        a) {
      b.close();
    }
  }

  private void refused(ShmAddress address, String why) {
    assertThatThrownBy(() -> a.nic.open(address))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining(why);
    assertThat(a.knows(0)).isFalse();
  }

  @Test
  void addressesAreText() {
    ShmAddress address = b.nic.address();
    assertThat(ShmAddress.parse(address.text())).isEqualTo(address);
    assertThat(address).hasToString(address.text());
    for (String wrong : List.of("", "shm:", "udp:1.2.3.4:5", address + "0", "shm:1:2:3")) {
      assertThatThrownBy(() -> ShmAddress.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("one looks like shm:BOOT:NETWORK:TOKEN");
    }
  }

  @Test
  void anotherBootIsAnotherHost() {
    HostIdentity there = new HostIdentity(here.boot() + 1, here.network());
    refused(new ShmAddress(there, token), "is on another host: its kernel was booted apart");
  }

  @Test
  void anotherNamespaceIsAnotherHost() {
    HostIdentity there = new HostIdentity(here.boot(), here.network() + 1);
    refused(new ShmAddress(there, token), "is in another network namespace");
  }

  /** The same folder, the same kernel; only the network is another. */
  @Test
  void processInAnotherNamespaceIsOnAnotherHost() throws Exception {
    List<String> apart = ChildJvm.unshare("--net");
    try (ChildJvm child = new ChildJvm(apart, Deed.OPEN, folder.path, b.nic.address())) {
      assertThat(child.line())
          .isEqualTo(
              b.nic.address()
                  + " is in another network namespace, and counts as another host;"
                  + " use udp");
    }
  }

  @Test
  void wrongTokenIsNobody() {
    refused(new ShmAddress(here, token + 1), "there is no such segment");
  }

  @Test
  void fileUnderAnotherNameIsNotItsOwner() throws Exception {
    Files.createLink(Path.of(files.segment(5)), Path.of(files.segment(token)));
    refused(new ShmAddress(here, 5), "is not sound: its header names another owner");
  }

  @Test
  void fileOfTheDeadIsNobody() throws Exception {
    Files.write(Path.of(files.segment(5)), new byte[100_000]);
    refused(new ShmAddress(here, 5), "has died: nobody holds");
  }

  @Test
  void fileThatIsBeingMadeIsNotReady() {
    try (MemoryFile file = MemoryFile.create(files.segment(5));
        OfdLock lock = OfdLock.exclusive(file, 0, 1)) {
      assertThat(lock).isNotNull();
      refused(new ShmAddress(here, 5), "is not ready yet; try again");
      file.resize(1 << 20);
      refused(new ShmAddress(here, 5), "is not ready yet; try again");
    }
  }

  @Test
  void headersAreChecked() {
    long[][] lies = {
      {SharedSegment.MAGIC_AT, 1, 1}, // word, value, part of what is said
      {SharedSegment.VERSION_AT, 2 | 4096L << 32, 2},
      {SharedSegment.VERSION_AT, 1 | 5000L << 32, 3},
      {SharedSegment.VERSION_AT, 1 | 8192L << 32, 4},
      {SharedSegment.ZONES_AT, 3, 4},
      {SharedSegment.ZONES_AT, 0, 5},
      {SharedSegment.BOOT_AT, 0, 6},
      {SharedSegment.STATE_AT, SharedSegment.CLOSED, 7}
    };
    String[] why = {
      "",
      "it is no segment",
      "its layout has version 2, ours 1",
      "it says that a ring has 5000 bytes",
      " bytes and says ",
      "a pool of 0 zones",
      "its header names another owner",
      "has left"
    };
    for (long[] lie : lies) {
      long right = b.nic.transmitMemory().get(ValueLayout.JAVA_LONG, lie[0]);
      b.nic.transmitMemory().set(ValueLayout.JAVA_LONG, lie[0], lie[1]);
      refused(b.nic.address(), why[(int) lie[2]]);
      b.nic.transmitMemory().set(ValueLayout.JAVA_LONG, lie[0], right);
    }
    assertThat(a.open(b)).isZero();
  }

  @Test
  void bellThatIsMissingOrUnheardIsToldToo() throws Exception {
    Files.delete(Path.of(files.bell(token)));
    refused(b.nic.address(), "ENOENT");
    Fifo.make(files.bell(token));
    refused(b.nic.address(), "nobody listens");
  }

  @Test
  void segmentOfAnotherUserIsRefused() throws Exception {
    Files.setPosixFilePermissions(
        Path.of(files.segment(token)), PosixFilePermissions.fromString("---------"));
    List<String> wrapper = ChildJvm.withoutOverride();
    try (ChildJvm child = new ChildJvm(wrapper, Deed.OPEN, folder.path, b.nic.address())) {
      assertThat(child.line())
          .startsWith("cannot open " + b.nic.address())
          .endsWith("it belongs to another user; use udp");
    }
    assertThat(Files.exists(Path.of(files.segment(token)))).as("nor is it swept").isTrue();
  }
}
