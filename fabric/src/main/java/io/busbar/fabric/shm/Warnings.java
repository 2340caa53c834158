package io.busbar.fabric.shm;

import io.busbar.fabric.NicEvents;
import java.util.EnumSet;
import java.util.Set;

/** What works less well than it should: told once for each kind. */
final class Warnings {
  enum Kind {
    NOT_PINNED,
    NO_RING,
    ANNOUNCEMENT,
    DAMAGE
  }

  private final NicEvents events;
  private final Set<Kind> told = EnumSet.noneOf(Kind.class);

  Warnings(NicEvents events) {
    this.events = events;
  }

  void tell(Kind kind, String what) {
    if (told.add(kind)) {
      events.onWarning(what);
    }
  }
}
