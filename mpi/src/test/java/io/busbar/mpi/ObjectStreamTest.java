package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.mpi.MpiError.Kind;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which objects are read, and where their classes are looked for. */
class ObjectStreamTest {
  private record Good(String text, List<Integer> numbers) implements Serializable {}

  private record Bad(String text) implements Serializable {}

  private static Object sent(Object what, Accepted accepted) {
    Object[] array = {what};
    byte[] stream = ObjectStream.write(array, 0, 1, Datatype.OBJECT);
    Object[] in = new Object[1];
    ObjectStream.read(stream, 1, in, 0, 1, Datatype.OBJECT, accepted);
    return in[0];
  }

  private static MpiError refusal(Object what, String pattern) {
    Accepted accepted = new Accepted(pattern);
    MpiError why = catchThrowableOfType(MpiError.class, () -> sent(what, accepted));
    assertThat(why).as("%s with %s", what, pattern).isNotNull();
    return why;
  }

  @Test
  void patternNamesAllThatIsAccepted() {
    String pattern = Good.class.getName();
    Good good = new Good("text", List.of(1, 2));
    assertThat(((Good) sent(good, new Accepted(pattern))).numbers()).containsExactly(1, 2);
    assertThat(sent(new Good[] {good}, new Accepted(pattern))).isInstanceOf(Good[].class);
    MpiError why = refusal(new Bad("text"), pattern);
    assertThat(why.kind()).isEqualTo(Kind.TYPE);
    assertThat(why).hasMessageContaining(Bad.class.getName()).hasMessageContaining("BUSBAR_MPI_OB");
    assertThat(refusal(new Bad[0], pattern)).hasMessageContaining(Bad.class.getName());
    assertThat(refusal(List.of(new Bad("inside")), pattern)).hasMessageContaining("Bad");
    assertThat(refusal(Path.of("x").toUri(), pattern)).hasMessageContaining("java.net.URI");
  }

  @Test
  void textsNumbersAndCollectionsAreAccepted() {
    List<Object> all = new ArrayList<>(List.of("text", 1, 2L, 3.0, 'c', true, BigInteger.TEN));
    all.add(Map.of("key", List.of(new double[] {1, 2})));
    all.add(new Object[] {"a", null});
    List<?> came = (List<?>) sent(all, new Accepted("app.*"));
    assertThat(came).hasSize(9);
    assertThat(refusal(all, "!java.util.*")).hasMessageContaining("java.util.ArrayList");
  }

  @Test
  void withoutPatternAllAreAccepted() {
    assertThat(sent(new Bad("text"), new Accepted(null))).isEqualTo(new Bad("text"));
    assertThat(sent(new Bad("text"), new Accepted(""))).isEqualTo(new Bad("text"));
  }

  @Test
  void whatIsNoPatternIsSaid() {
    MpiError why = catchThrowableOfType(MpiError.class, () -> new Accepted("maxdepth=many"));
    assertThat(why).hasMessageContaining("BUSBAR_MPI_OBJECTS=maxdepth=many");
    assertThat(why.kind()).isEqualTo(Kind.ARG);
  }

  /** Knows a class that no other loader knows. */
  private static final class Apart extends ClassLoader {
    Class<?> far() {
      byte[] file =
          ClassFile.of()
              .build(
                  ClassDesc.of("Far"),
                  made ->
                      made.withFlags(ClassFile.ACC_PUBLIC)
                          .withInterfaceSymbols(ClassDesc.of(Serializable.class.getName()))
                          .withMethodBody(
                              ConstantDescs.INIT_NAME,
                              ConstantDescs.MTD_void,
                              ClassFile.ACC_PUBLIC,
                              code ->
                                  code.aload(0)
                                      .invokespecial(
                                          ConstantDescs.CD_Object,
                                          ConstantDescs.INIT_NAME,
                                          ConstantDescs.MTD_void)
                                      .return_()));
      return defineClass("Far", file, 0, file.length);
    }
  }

  /** {@code java Program.java} has the program's classes in a loader that only its thread knows. */
  @Test
  void classesOfTheProgramAreFoundByItsThread() throws Exception {
    Apart apart = new Apart();
    Object far = apart.far().getConstructor().newInstance();
    MpiError why = catchThrowableOfType(MpiError.class, () -> sent(far, new Accepted(null)));
    assertThat(why).hasMessageContaining("ClassNotFoundException: Far");
    Thread self = Thread.currentThread();
    ClassLoader before = self.getContextClassLoader();
    self.setContextClassLoader(apart);
    try {
      assertThat(sent(far, new Accepted(null))).isInstanceOf(far.getClass());
      assertThat(sent(List.of(far), new Accepted(null))).isInstanceOf(List.class);
    } finally {
      self.setContextClassLoader(before);
    }
  }
}
