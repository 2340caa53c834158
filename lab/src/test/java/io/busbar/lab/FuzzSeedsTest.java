package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fuzzing starts from is sound, and passes in every ordinary run. */
class FuzzSeedsTest {
  private static final String[] FRAMES = {"first", "data", "cntl", "ecntl", "diag", "echo", "crc"};

  private static byte[] seed(String target, String name) throws IOException {
    String path = "%sInputs/%s".formatted(target, name);
    try (InputStream in = FuzzSeedsTest.class.getResourceAsStream(path)) {
      return Objects.requireNonNull(in, path).readAllBytes();
    }
  }

  @Test
  void parserStartsFromEveryFormat() throws IOException {
    Set<Integer> formats = new HashSet<>();
    FrameView view = new FrameView();
    for (String name : FRAMES) {
      byte[] frame = seed("FrameParserFuzz", "judges/" + name);
      assertThat(view.wrap(MemorySegment.ofArray(frame), 0, frame.length).ok()).as(name).isTrue();
      formats.add(view.format());
      new FrameParserFuzz().judges(frame);
    }
    assertThat(formats)
        .contains(Format.FIRST, Format.DATA, Format.CNTL, Format.ECNTL, Format.DIAG, Format.ECHO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"steps", "noise", "damage", "forgeries"})
  void associationSurvivesItsSeeds(String name) throws IOException {
    new LiveAssociationFuzz().survives(seed("LiveAssociationFuzz", "survives/" + name));
  }

  /** The script names every forgery: two bytes for it, two for steps behind it. */
  @Test
  void everyForgeryIsAmongTheSeeds() throws IOException {
    byte[] script = seed("LiveAssociationFuzz", "survives/forgeries");
    assertThat(script).hasSize(4 * Forgery.values().length);
  }
}
