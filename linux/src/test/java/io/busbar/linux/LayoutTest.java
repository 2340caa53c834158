package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.UnionLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every number and every layout of this room is the one of the system's headers. */
class LayoutTest {
  private static final List<Class<?>> NUMBERS =
      List.of(
          FileNumbers.class,
          MemoryNumbers.class,
          SocketNumbers.class,
          PacketNumbers.class,
          XdpNumbers.class,
          DeviceNumbers.class,
          ProcessNumbers.class);
  private static final List<Class<?>> LAYOUTS =
      List.of(
          SocketLayouts.class,
          MessageLayouts.class,
          PacketLayouts.class,
          DeviceLayouts.class,
          SystemLayouts.class);

  private static Map<String, String> facts = Map.of();

  @BeforeAll
  static void compile(@TempDir Path folder) throws IOException, InterruptedException {
    Needs.command("gcc", "--version");
    facts = Headers.facts(folder);
  }

  /** Compares all at once, so that a failure shows every difference, and what either side lacks. */
  @Test
  void allThatIsUsedIsAsInTheHeaders() throws IllegalAccessException {
    Map<String, String> ours = new TreeMap<>();
    for (Class<?> numbers : NUMBERS) {
      for (Field field : numbers.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
          ours.put("const " + field.getName(), field.get(null).toString());
        }
      }
    }
    for (SocketOption option : SocketOption.values()) {
      ours.put("const " + option, Integer.toString(option.number));
    }
    for (Capability capability : Capability.values()) {
      ours.put("const " + capability, Integer.toString(capability.number));
    }
    for (Limit.Resource resource : Limit.Resource.values()) {
      ours.put("const " + resource, Integer.toString(resource.number));
    }
    ours.put("const RLIM_INFINITY", Long.toString(Limit.UNLIMITED));
    ours.put("const IP_PMTUDISC_DONT", Integer.toString(SocketOption.PMTUDISC_DONT));
    ours.put("const IP_PMTUDISC_DO", Integer.toString(SocketOption.PMTUDISC_DO));
    ours.put("const IP_PMTUDISC_PROBE", Integer.toString(SocketOption.PMTUDISC_PROBE));
    ours.put("const SYS_membarrier", Long.toString(Architecture.CURRENT.sysMembarrier));
    ours.put("const SYS_capget", Long.toString(Architecture.CURRENT.sysCapget));
    ours.put("const SYS_bpf", Long.toString(Architecture.CURRENT.sysBpf));
    for (Class<?> layouts : LAYOUTS) {
      for (Field field : layouts.getDeclaredFields()) {
        if (field.getType() == StructLayout.class) {
          describe((StructLayout) field.get(null), ours);
        }
      }
    }
    assertThat(ours).hasSizeGreaterThan(250);
    Set<String> all = new TreeSet<>(ours.keySet());
    all.addAll(facts.keySet());
    assertThat(all)
        .map(
            name ->
                "%s: here %s, in the headers %s".formatted(name, ours.get(name), facts.get(name)))
        .filteredOn(line -> !line.matches(".*: here (.*), in the headers \\1"))
        .isEmpty();
  }

  private static void describe(StructLayout struct, Map<String, String> into) {
    String name = struct.name().orElseThrow();
    into.put("size " + name, Long.toString(struct.byteSize()));
    List<MemoryLayout> members = struct.memberLayouts();
    for (int i = 0; i < members.size(); i++) {
      long offset = struct.byteOffset(PathElement.groupElement(i));
      field(name, members.get(i), offset, into);
      if (members.get(i) instanceof UnionLayout union) {
        union.memberLayouts().forEach(member -> field(name, member, offset, into));
      }
    }
  }

  /** What has no name is padding, or the part of a structure that is not used. */
  private static void field(
      String struct, MemoryLayout field, long offset, Map<String, String> into) {
    if (field.name().isPresent()) {
      String key = "field %s.%s".formatted(struct, field.name().get());
      into.put(key, "%d %d".formatted(offset, field.byteSize()));
    }
  }

  @Test
  void levelOfAnOptionFollowsItsName() {
    Map<String, String> levels =
        Map.of(
            "SO",
            "SOL_SOCKET",
            "IP",
            "IPPROTO_IP",
            "IPV6",
            "IPPROTO_IPV6",
            "UDP",
            "IPPROTO_UDP",
            "PACKET",
            "SOL_PACKET");
    for (SocketOption option : SocketOption.values()) {
      String prefix = option.name().substring(0, option.name().indexOf('_'));
      assertThat(facts)
          .containsEntry("const " + levels.get(prefix), Integer.toString(option.level));
    }
  }

  @Test
  void errnosAreNamedAsInTheHeader() throws Exception {
    Map<String, Integer> macros = Headers.macros("asm-generic/errno.h");
    macros.keySet().removeIf(name -> !name.matches("E[A-Z0-9]+"));
    assertThat(macros).hasSizeGreaterThan(130);
    macros.forEach((name, number) -> assertThat(Errno.name(number)).isEqualTo(name));
    int named = 0;
    for (int errno = -1; errno < 4096; errno++) {
      named += Errno.name(errno).startsWith("errno ") ? 0 : 1;
    }
    assertThat(named).isEqualTo(macros.size());
    for (Field field : Errno.class.getFields()) {
      assertThat(macros).containsEntry(field.getName(), field.getInt(null));
    }
  }

  /** aarch64 uses the generic numbers, and their header is on every machine. */
  @Test
  void systemCallNumbersOfAarch64AreTheGenericOnes() throws Exception {
    Map<String, Integer> macros = Headers.macros("asm-generic/unistd.h");
    assertThat(macros)
        .containsEntry("__NR_membarrier", (int) Architecture.AARCH64.sysMembarrier)
        .containsEntry("__NR_capget", (int) Architecture.AARCH64.sysCapget)
        .containsEntry("__NR_bpf", (int) Architecture.AARCH64.sysBpf);
  }
}
