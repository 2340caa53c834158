package io.busbar.lab.bed;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The system's commands that a bed is made with, and the packages that they come in. */
enum Tool {
  IP("iproute2"),
  TC("iproute2"),
  NFT("nftables"),
  UNSHARE("util-linux"),
  SETPRIV("util-linux");

  /** Where they are kept, even if a user's PATH leaves it out. */
  private static final List<String> USUAL = List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin");

  private final String debianPackage;

  Tool(String debianPackage) {
    this.debianPackage = debianPackage;
  }

  /** The folders in which commands are looked for. */
  static List<String> folders() {
    List<String> folders = new ArrayList<>();
    String path = System.getenv("PATH");
    if (path != null) {
      folders.addAll(List.of(path.split(File.pathSeparator, -1)));
    }
    folders.addAll(USUAL);
    return folders;
  }

  /** The program's file. */
  String path() {
    return pathIn(folders());
  }

  String pathIn(List<String> folders) {
    String command = name().toLowerCase(Locale.ROOT);
    for (String folder : folders) {
      Path file = Path.of(folder, command);
      if (Files.isExecutable(file) && !Files.isDirectory(file)) {
        return file.toString();
      }
    }
    throw new TestBedException(
        "the test bed needs the command %s and found it in none of %s: install it (apt-get install %s)"
            .formatted(command, String.join(":", folders), debianPackage));
  }
}
