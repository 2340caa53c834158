package io.busbar.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A bit diagram, 32 bits a row: {@code " 8 |cell|cell|"} between lines of {@code +-+-+}. A line
 * between two rows that is not all dashes joins them, and may hold the name of the field.
 */
final class Drawing {
  /** A cell; bits count from the least significant bit of byte 0. */
  record Bits(String name, int at, int bits) {}

  private static final int MARGIN = 4;
  private static final String RULE = "+" + "-+".repeat(32);

  private final List<Bits> cells = new ArrayList<>();

  Drawing(List<String> lines) {
    require(lines.get(1).strip().startsWith("0 1 2 3 4 5 6 7 8 9 0"), lines.get(1));
    requireRule(lines.get(2));
    requireRule(lines.getLast());
    int open = 0;
    String openName = "";
    for (int i = 3; i < lines.size(); i += 2) {
      String row = lines.get(i);
      String below = lines.get(i + 1).substring(MARGIN);
      int at = Integer.parseInt(row.substring(0, MARGIN).strip());
      require(at == (i - 3) / 2 * 4, "row is not at " + at + ": " + row);
      boolean joined = !below.equals(RULE);
      if (open == 0 && !joined) {
        addRow(row, at * 8);
        continue;
      }
      require(cellsOf(row).size() == 1, "a joined row has one cell: " + row);
      openName += cellsOf(row).getFirst().strip();
      open++;
      if (joined) {
        require(below.length() == RULE.length() && below.endsWith("+"), below);
        openName += below.substring(1, below.length() - 1).strip();
      } else {
        cells.add(new Bits(openName, (at + 4) * 8 - open * 32, open * 32));
        open = 0;
        openName = "";
      }
    }
    require(open == 0, "a field is left open");
  }

  private void addRow(String row, int atBit) {
    int at = atBit;
    for (String cell : cellsOf(row)) {
      require(cell.length() % 2 == 1, "a wall stands inside a bit: " + row);
      int bits = (cell.length() + 1) / 2;
      cells.add(new Bits(cell.strip(), at, bits));
      at += bits;
    }
  }

  private static List<String> cellsOf(String row) {
    String drawn = row.substring(MARGIN);
    require(drawn.length() == RULE.length(), "a row is not 32 bits wide: " + row);
    require(drawn.startsWith("|") && drawn.endsWith("|"), "a row has no walls: " + row);
    return List.of(drawn.substring(1, drawn.length() - 1).split("\\|", -1));
  }

  private static void requireRule(String line) {
    require(line.equals(" ".repeat(MARGIN) + RULE), "not a rule: " + line);
  }

  private static void require(boolean sound, String what) {
    if (!sound) {
      throw new IllegalArgumentException(what);
    }
  }

  List<Bits> cells() {
    return cells;
  }

  /** The cells as fields; those that share a byte make one, named from its high bits down. */
  List<WireDoc.Field> fields() {
    List<WireDoc.Field> fields = new ArrayList<>();
    for (int i = 0; i < cells.size(); ) {
      List<Bits> shared = new ArrayList<>();
      int bits = 0;
      do {
        bits += cells.get(i).bits();
        shared.add(cells.get(i++));
      } while (bits % 8 != 0);
      int at = shared.getFirst().at() / 8;
      shared.sort(Comparator.comparingInt(Bits::at).reversed());
      String name = String.join(" ", shared.stream().map(Bits::name).toList());
      fields.add(new WireDoc.Field(name, at, bits / 8));
    }
    return fields;
  }
}
