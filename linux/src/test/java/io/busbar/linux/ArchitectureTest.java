package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ArchitectureTest {
  @Test
  void twoProcessorsAreKnown() {
    assertThat(Architecture.of("Linux", "amd64")).isEqualTo(Architecture.X86_64);
    assertThat(Architecture.of("Linux", "aarch64")).isEqualTo(Architecture.AARCH64);
  }

  @Test
  void anythingElseIsRefusedInASentence() {
    assertThatThrownBy(() -> Architecture.of("Linux", "riscv64"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "Busbar runs on Linux on x86-64 and aarch64 only, and this is Linux on riscv64.");
    assertThatThrownBy(() -> Architecture.of("Mac OS X", "aarch64"))
        .hasMessageEndingWith("and this is Mac OS X on aarch64.");
  }
}
