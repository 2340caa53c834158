package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.linux.Capabilities;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, addresses, and what is said when something is missing. */
class NamesTest {
  @Test
  void nameTellsTheOwner() {
    BedName name = BedName.next();
    assertThat(name.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(BedName.of(name.host(0))).isEqualTo(name);
    assertThat(BedName.of(name.host(253))).isEqualTo(name);
    assertThat(BedName.of(name.switchNamespace())).isEqualTo(name);
    assertThat(BedName.next()).isNotEqualTo(name);
    assertThat(name.ownerLives()).isTrue();
    assertThat(new BedName(name.pid(), name.startTicks() - 1, 0).ownerLives()).isFalse();
    assertThat(new BedName(1L << 40, name.startTicks(), 0).ownerLives()).isFalse();
    // A host name has at most 64 characters.
    assertThat(new BedName(4_194_304, Long.MAX_VALUE >> 8, 46_655).host(253)).hasSizeLessThan(64);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "blue",
        "busbar",
        "busbar-1-2-3",
        "busbar-1-2-3-h",
        "busbar-1-2-3-4-h0",
        "busbar-1-2-3-h0-x",
        "Busbar-1-2-3-h0",
        "busbar-1-2-3-switch1",
        "busbar-1234567890123-2-3-h0"
      })
  void otherNamesAreNobodys(String namespace) {
    assertThat(BedName.of(namespace)).isNull();
  }

  @Test
  void addressesAreThoseOfTheBed() {
    BedNet net = new BedNet(new BedName(0x12345, 1, 7));
    assertThat(net.address4(0).getHostAddress()).isEqualTo("10.148.174.1");
    assertThat(net.address4(253).getHostAddress()).isEqualTo("10.148.174.254");
    assertThat(net.address6(15).getHostAddress()).isEqualTo("fdbb:1:2345:7:0:0:0:10");
    BedNet next = new BedNet(new BedName(0x12345, 1, 8));
    assertThat(next.address4(0).getHostAddress()).isEqualTo("10.148.175.1");
  }

  @Test
  void missingToolIsNamedWithItsPackage() {
    assertThatThrownBy(() -> Tool.NFT.pathIn(List.of("/none", "/nowhere")))
        .isInstanceOf(TestBedException.class)
        .hasMessage(
            "the test bed needs the command nft and found it in none of /none:/nowhere: install it"
                + " (apt-get install nftables)");
    for (Tool tool : Tool.values()) {
      assertThat(tool.path()).endsWith("/" + tool.name().toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void missingRightIsNamed() {
    TestBed.requireRights(new Capabilities(-1));
    assertThatThrownBy(() -> TestBed.requireRights(new Capabilities(0)))
        .isInstanceOf(TestBedException.class)
        .hasMessageEndingWith("needs CAP_SYS_ADMIN and CAP_NET_ADMIN: run this as root");
  }

  @Test
  void scriptThatFailsIsShownWithItsOutput() {
    assertThatThrownBy(() -> Shell.run("do it", "echo first\nls /none-such\necho last\n"))
        .isInstanceOf(TestBedException.class)
        .hasMessageStartingWith("cannot do it: the script failed with exit code ")
        .hasMessageContaining("first\n")
        .hasMessageContaining("/none-such")
        .hasMessageEndingWith("The script was:\necho first\nls /none-such\necho last\n")
        .hasMessageNotContaining("last\nThe script");
  }

  @Test
  void countersAreReadFromTheirColumns() {
    String text =
        """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop
            lo:       1       2    3    4    5     6          7         8        9      10   11   12
          bed0:1001    1002 1003 1004 1005  1006       1007      1008     1009    1010 1011 1012 0 0 0 0
        """;
    LinkCounters counters = LinkCounters.parse(text, "bed0");
    assertThat(counters).isEqualTo(new LinkCounters(1001, 1002, 1004, 1009, 1010, 1012));
    assertThat(counters.minus(new LinkCounters(1, 2, 3, 4, 5, 6)))
        .isEqualTo(new LinkCounters(1000, 1000, 1001, 1005, 1005, 1006));
    assertThatThrownBy(() -> LinkCounters.parse(text, "bed"))
        .hasMessageContaining("interface bed ");
  }
}
