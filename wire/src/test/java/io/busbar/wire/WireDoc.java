package io.busbar.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A page of docs/wire, read for its drawings and tables. */
final class WireDoc {
  /** A field as a drawing or a table has it. */
  record Field(String name, int at, int bytes) {}

  /** A table without its line of dashes. */
  record Table(List<String> head, List<List<String>> rows) {
    int column(String name) {
      if (!head.contains(name)) {
        throw new IllegalArgumentException("no column " + name + " in " + head);
      }
      return head.indexOf(name);
    }

    List<String> all(String name) {
      int column = column(name);
      return rows.stream().map(row -> row.get(column)).toList();
    }

    /** One column by another, in the order of the rows. */
    Map<String, String> map(String from, String to) {
      Map<String, String> map = new LinkedHashMap<>();
      for (List<String> row : rows) {
        String before = map.put(row.get(column(from)), row.get(column(to)));
        if (before != null) {
          throw new IllegalArgumentException(row + " comes twice");
        }
      }
      return map;
    }

    List<Field> fields() {
      return rows.stream()
          .map(r -> new Field(r.get(2), Integer.parseInt(r.get(0)), Integer.parseInt(r.get(1))))
          .toList();
    }
  }

  private final String name;
  private final List<String> lines;

  WireDoc(String name) {
    this.name = name;
    try {
      lines = Files.readAllLines(folder().resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Walks up from the module to the folder that holds the docs. */
  private static Path folder() {
    Path from = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    for (Path at = from; at != null; at = at.getParent()) {
      Path docs = at.resolve("docs").resolve("wire");
      if (Files.isDirectory(docs)) {
        return docs;
      }
    }
    throw new IllegalStateException("no docs/wire above " + from);
  }

  /** The only table with these columns. */
  Table table(String... head) {
    List<Table> found =
        tables().stream().filter(table -> table.head().equals(Arrays.asList(head))).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          name + " has " + found.size() + " tables of " + Arrays.toString(head));
    }
    return found.getFirst();
  }

  /** The tables of fields, in order. */
  List<Table> layouts() {
    List<String> head = List.of("at", "bytes", "field", "meaning");
    return tables().stream().filter(table -> table.head().equals(head)).toList();
  }

  private List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (isRow(i) && !(i > 0 && isRow(i - 1))) {
        List<List<String>> rows = new ArrayList<>();
        for (int row = i + 2; row < lines.size() && isRow(row); row++) {
          rows.add(cells(lines.get(row)));
        }
        tables.add(new Table(cells(lines.get(i)), rows));
      }
    }
    return tables;
  }

  private boolean isRow(int line) {
    return lines.get(line).startsWith("| ");
  }

  private static List<String> cells(String row) {
    String inner = row.strip();
    inner = inner.substring(1, inner.length() - 1);
    return Arrays.stream(inner.split("\\|", -1)).map(String::strip).toList();
  }

  /** The drawings, in order. */
  List<Drawing> drawings() {
    List<Drawing> drawings = new ArrayList<>();
    List<String> block = null;
    for (String line : lines) {
      if (line.startsWith("```")) {
        if (block != null && !block.isEmpty()) {
          drawings.add(new Drawing(block));
        }
        block = block == null ? new ArrayList<>() : null;
      } else if (block != null) {
        block.add(line);
      }
    }
    return drawings;
  }
}
