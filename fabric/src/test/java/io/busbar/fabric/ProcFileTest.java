package io.busbar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.shm.HostIdentity;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the kernel says is read to its end. */
class ProcFileTest {
  @Test
  void bootIdIsReadWhole() throws Exception {
    assertThat(ProcFile.read(Path.of("/proc/sys/kernel/random/boot_id")))
        .matches("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  }

  @Test
  void hostKeepsItsIdentity() {
    assertThat(HostIdentity.current()).isEqualTo(HostIdentity.current());
    assertThat(HostIdentity.current().boot()).isNotZero();
    assertThat(HostIdentity.current().network()).isPositive();
  }
}
