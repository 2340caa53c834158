package io.busbar.node.stat;

import java.nio.file.Path;

/**
 * A file of which nothing is shown.
 *
 * @param path the file
 * @param pid the process in its name; 0 when there is none
 * @param why what is wrong with it, and what to do
 */
public record Unreadable(Path path, int pid, String why) implements StatReading {}
