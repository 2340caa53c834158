/**
 * A run on paper: what was measured, as a page to look at and as a summary to read.
 *
 * <p><b>Owns</b> the lines that a run leaves behind ({@link io.busbar.bench.report.RunLog} writes
 * them, {@link io.busbar.bench.report.RecordingReader} reads them), the plots, the page and the
 * summary, and the papers' numbers, which are a resource and no code.
 *
 * <p><b>Never</b> knows a result: all that is shown comes from the lines. Whoever is ahead, the
 * words and the colours are the same. Nothing that comes from the lines is put into a page without
 * being escaped, and a page asks nobody for anything.
 *
 * <p><b>Threads</b>: the caller's.
 *
 * <p><b>Read first</b>: {@link io.busbar.bench.report.Recording}, {@link
 * io.busbar.bench.report.ReportFolder}.
 */
@NullMarked
package io.busbar.bench.report;

import org.jspecify.annotations.NullMarked;
