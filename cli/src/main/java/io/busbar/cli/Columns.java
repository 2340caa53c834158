package io.busbar.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** A table for people, each column as wide as its widest cell. */
final class Columns {
  private static final String LEFT = "<";

  private final List<List<String>> rows = new ArrayList<>();
  private final List<Boolean> left = new ArrayList<>();

  /** With its heads; a column whose head begins with {@code <} stands to the left. */
  Columns(List<String> heads) {
    heads.forEach(head -> left.add(head.startsWith(LEFT)));
    rows.add(heads.stream().map(head -> head.replaceFirst("^" + LEFT, "")).toList());
  }

  /** One more row, with a cell for each column. */
  void add(List<String> cells) {
    rows.add(cells);
  }

  /** One more line, which is not cut into columns. */
  void note(String line) {
    rows.add(List.of(line));
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> row.size() == left.size())
        .mapToInt(row -> row.get(column).length())
        .max()
        .orElse(0);
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner("\n");
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String pad = " ".repeat(row.size() < left.size() ? 0 : width(i) - row.get(i).length());
        line.append("  ").append(left.get(i) ? row.get(i) + pad : pad + row.get(i));
      }
      text.add(line.toString().stripTrailing());
    }
    return text.toString();
  }
}
