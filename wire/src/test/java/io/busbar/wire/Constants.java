package io.busbar.wire;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** What the layout classes say of themselves. */
final class Constants {
  private static final String SUFFIX = "_AT";

  private Constants() {}

  /** The named int constants of a class, in the order of their declaration. */
  static Map<String, Integer> ints(Class<?> type, Predicate<String> names) {
    Map<String, Integer> constants = new LinkedHashMap<>();
    for (Field field : type.getDeclaredFields()) {
      if (field.getType() == int.class
          && Modifier.isStatic(field.getModifiers())
          && !Modifier.isPrivate(field.getModifiers())
          && names.test(field.getName())) {
        constants.put(field.getName(), read(field));
      }
    }
    return constants;
  }

  private static int read(Field field) {
    try {
      return field.getInt(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The fields whose offsets are constants; each ends where the next begins, the last at total. */
  static List<WireDoc.Field> layout(Class<?> type, Predicate<String> names, int total) {
    Map<String, Integer> offsets = ints(type, n -> n.endsWith(SUFFIX) && names.test(n));
    List<Map.Entry<String, Integer>> sorted = new ArrayList<>(offsets.entrySet());
    sorted.sort(Comparator.comparingInt(Map.Entry::getValue));
    List<WireDoc.Field> fields = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      int at = sorted.get(i).getValue();
      int end = i + 1 < sorted.size() ? sorted.get(i + 1).getValue() : total;
      fields.add(new WireDoc.Field(spoken(sorted.get(i).getKey()), at, end - at));
    }
    return fields;
  }

  private static String spoken(String constant) {
    String stem = constant.substring(0, constant.length() - SUFFIX.length());
    return stem.replace('_', ' ').toLowerCase(Locale.ROOT);
  }

  static List<String> names(Enum<?>[] values) {
    return Arrays.stream(values).map(Enum::name).toList();
  }
}
