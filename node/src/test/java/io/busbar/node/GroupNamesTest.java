package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.ClusterName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A group is named as its members name it. */
class GroupNamesTest {
  @Test
  void aNumberIsANameAgain() {
    GroupNames names = new GroupNames(List.of("red", "blue"));
    for (String name : List.of("red", "blue", GroupNames.EVERYONE)) {
      assertThat(names.of(GroupNames.number(name))).isEqualTo(name);
    }
    assertThat(GroupNames.number("red")).isEqualTo(ClusterName.hash("red"));
    assertThat(GroupNames.number("")).isZero();
  }

  @Test
  void aGroupThatIsNotKnownIsToldByItsNumber() {
    assertThat(new GroupNames(List.of()).of(0xAB)).isEqualTo("0x00000000000000ab");
  }
}
