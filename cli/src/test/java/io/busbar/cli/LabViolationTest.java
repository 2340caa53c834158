package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.BrokenClasses;
import io.busbar.testkit.Surgery;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the command says of a bus that is broken on purpose. */
class LabViolationTest {
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void catchErrors() {
    System.setErr(new PrintStream(err, true, UTF_8));
  }

  @AfterEach
  void giveErrorsBack() {
    System.setErr(realErr);
  }

  @Test
  void theSeedAndThePromiseAreNamed() throws ReflectiveOperationException {
    BrokenClasses classes =
        new BrokenClasses(
            LabViolationTest.class.getClassLoader(),
            List.of("io.busbar."),
            List.of(Surgery.returns("bus.CastIn", "planNak", 0)));
    classes.loadAll();
    Method run = classes.loadClass(Main.class.getName()).getDeclaredMethod("run", String[].class);
    run.setAccessible(true);
    Object code =
        run.invoke(null, (Object) new String[] {"lab", "bus", "--seeds", "60", "--nodes", "4"});
    assertThat(code).isEqualTo(1);
    assertThat(err.toString(UTF_8))
        .containsPattern("busbar lab: seed \\d+ broke a promise: all is heard: ")
        .contains(", 1 violations")
        .containsPattern("replay: ./busbar lab bus --seed \\d+ --nodes 4 --trace");
  }
}
