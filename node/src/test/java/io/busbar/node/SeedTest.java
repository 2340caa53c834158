package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where others may be, by addresses and by names. */
class SeedTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.0.0.1:7009",
    "10.0.0.1:80, 10.0.0.1:80",
    "[fe80::1%2], [fe80::1%2]:7009",
    "[::1]:80, [::1]:80",
    "localhost, 127.0.0.1:7009",
    "localhost:80, 127.0.0.1:80"
  })
  void seedsHaveAnAddressAndAPort(String text, String address) {
    assertThat(Seed.parse(text, 7009).addresses()).contains(address);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":80", "host:port", "a:1:2", "[::1", "host:123456"})
  void whatIsNoSeedIsRefusedByName(String text) {
    assertThatThrownBy(() -> Seed.parse(text, 7009))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("HOST:PORT");
  }

  @Test
  void namesThatNobodyKnowsAreRefusedByName() {
    assertThatThrownBy(() -> Seed.parse("nobody.invalid", 7009).addresses())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("'nobody.invalid'");
  }
}
