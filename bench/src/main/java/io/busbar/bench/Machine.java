package io.busbar.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where figures were taken. */
public final class Machine {
  private Machine() {}

  static String json() {
    return "{\"cores\":%d,\"kernel\":\"%s\",\"jdk\":\"%s\"}".formatted(cores(), kernel(), jdk());
  }

  /** What there is to know about it, for who reads figures taken elsewhere. */
  public static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("cpu", value("/proc/cpuinfo", "model name"));
    facts.put("cores", Integer.toString(cores()));
    facts.put("memory", value("/proc/meminfo", "MemTotal"));
    facts.put("kernel", kernel());
    facts.put("jdk", jdk() + " " + System.getProperty("java.vendor"));
    return facts;
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static String kernel() {
    return System.getProperty("os.version");
  }

  private static String jdk() {
    Runtime.Version version = Runtime.version();
    return version.feature() + "." + version.interim() + "." + version.update();
  }

  /** The value of a key in one of the kernel's lists; what has none there is not known. */
  private static String value(String file, String key) {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("not known");
    } catch (IOException e) {
      return "not known";
    }
  }
}
