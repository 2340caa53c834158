package io.busbar.lab.mpi;

import io.busbar.lab.stack.SimProcess;
import io.busbar.mpi.Communicator;
import io.busbar.mpi.MpiError;
import io.busbar.mpi.Request;
import io.busbar.mpi.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The receives of one rank in one phase, in the order of asking. What each sender sent to it goes
 * to them in that order: each has the first letter that it fits and that none before it has.
 */
final class Desk {
  /** One receive. */
  private static final class Post {
    final Sheet sheet;
    final int tag;
    final Status status = new Status();
    boolean failed;

    Post(int capacity, boolean hasGaps, int tag) {
      sheet = Sheet.of(capacity, hasGaps);
      this.tag = tag;
    }
  }

  private final Umpire umpire;
  private final SimProcess process;
  private final Team team;
  private final int phase;
  private final List<Post> posts = new ArrayList<>();

  Desk(Umpire umpire, SimProcess process, Team team, int phase) {
    this.umpire = umpire;
    this.process = process;
    this.team = team;
    this.phase = phase;
  }

  private Post ask(int source, int tag, int capacity, boolean hasGaps) {
    Post post = new Post(capacity, hasGaps, tag);
    umpire.letters().ask(team.id(), process.node(), team.node(source), tag, phase);
    posts.add(post);
    umpire.note(process, "asks rank %d for tag".formatted(team.node(source)), tag);
    return post;
  }

  /** Asks for a letter, and does not wait for it. */
  Pending start(int source, int tag, int capacity, boolean hasGaps) {
    Post post = ask(source, tag, capacity, hasGaps);
    Sheet sheet = post.sheet;
    Request request =
        team.on().startReceive(sheet.memory(), 0, sheet.count(), sheet.type(), source, tag);
    return pending(request, post, source);
  }

  private Pending pending(Request request, Post post, int source) {
    return new Pending(
        request,
        team.node(source),
        () -> {
          post.failed = request.error() != null;
          post.status.set(request);
        });
  }

  /** Asks for a letter, and waits for it. */
  void receive(int source, int tag, int capacity, boolean hasGaps) {
    Post post = ask(source, tag, capacity, hasGaps);
    Sheet sheet = post.sheet;
    try {
      team.on().receive(sheet.memory(), 0, sheet.count(), sheet.type(), source, tag, post.status);
    } catch (MpiError e) {
      post.failed = true;
      throw e;
    }
  }

  /** Takes a letter that is there, or waits for one; null if it does not wait and there is none. */
  @Nullable Pending take(int source, int tag, int capacity, boolean waits) {
    Status status = new Status();
    Communicator.Found found = team.on().take(source, tag, status, waits);
    if (found == null) {
      return null;
    }
    Post post = ask(status.source(), status.tag(), capacity, false);
    Request request =
        found.startReceive(post.sheet.memory(), 0, post.sheet.count(), post.sheet.type());
    return pending(request, post, status.source());
  }

  /** Compares all that was received with what was sent. */
  void check() {
    for (Post post : posts) {
      if (!post.failed) {
        check(post);
      }
    }
  }

  private void check(Post post) {
    int from = team.node(post.status.source());
    List<Letter> sent = umpire.letters().of(team.id(), from, process.node());
    boolean lenient = umpire.hasReason(from, process.node());
    for (Letter letter : sent) {
      boolean fits = post.tag == Communicator.ANY || post.tag == letter.tag;
      if (!letter.taken && fits && (!lenient || isIn(letter, post))) {
        Promise.check(
            isIn(letter, post),
            "every letter in its order and complete",
            "rank %d has %d bytes with tag %d from rank %d, and not %s; it is %s",
            process.node(),
            post.status.bytes(),
            post.status.tag(),
            from,
            letter,
            sent.stream().filter(one -> isIn(one, post)).findFirst());
        letter.taken = true;
        umpire.onReceived(process, letter);
        return;
      }
    }
    throw Promise.broken(
        "nothing is invented",
        "rank %d has %d bytes with tag %d, and rank %d sent no such letter"
            .formatted(process.node(), post.status.bytes(), post.status.tag(), from));
  }

  private static boolean isIn(Letter letter, Post post) {
    return post.status.tag() == letter.tag
        && post.status.bytes() == letter.length
        && post.sheet.has(letter);
  }
}
