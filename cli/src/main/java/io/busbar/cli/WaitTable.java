package io.busbar.cli;

import io.busbar.mpi.RankState;
import io.busbar.mpi.Wait;
import io.busbar.mpi.WaitGraph.Member;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Who waits for whom, for people. */
final class WaitTable {
  private WaitTable() {}

  static String of(String title, List<Member> members, List<@Nullable RankState> states) {
    Columns table =
        new Columns(
            List.of(
                "rank", "<call", "<waits for", "<of rank", "tag", "<in", "since", "<called at"));
    for (int rank = 0; rank < members.size(); rank++) {
      Member member = members.get(rank);
      RankState state = states.get(rank);
      String number = Integer.toString(rank);
      if (member.waits().isEmpty()) {
        String how = member.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        table.add(List.of(number, "-", how, "", "", "", "", ""));
      }
      for (Wait wait : member.waits()) {
        table.add(
            List.of(
                number,
                wait.call(),
                wait.what(),
                wait.who(members.size()),
                wait.tag(),
                wait.communicator(),
                state == null ? "" : "%.1f s".formatted((state.saidMs() - wait.sinceMs()) / 1e3),
                wait.place()));
      }
      if (state != null && !member.waits().isEmpty()) {
        for (String busy : state.busy()) {
          table.note("rank %d may go on: thread %s".formatted(rank, busy));
        }
      }
    }
    return "busbar run: %s%n%s".formatted(title, table);
  }
}
