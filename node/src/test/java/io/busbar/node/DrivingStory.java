package io.busbar.node;

import static io.busbar.node.StagedMachine.check;

import io.busbar.testkit.Interleavings;
import io.busbar.testkit.Stage;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A few threads around one {@link Driving}, the real one, staged. Forbidden: two with the role;
 * everybody waits while the role is free and somebody wants it or follows; somebody waits for what
 * has come; the driver sleeps over something; and that anything is left over at the end.
 */
final class DrivingStory implements Interleavings.Story {
  private static final long FAR_NS = Long.MAX_VALUE / 2;
  private static final long SOON_NS = 100_000;

  /** The caretaker, whose pauses double from 1 ms to 5, stops looking at a driver who sleeps. */
  private static final long LEFT_ALONE_NS = (1 + 2 + 4 + 5) * 1_000_000L;

  /** The caretaker sleeps by then. */
  private static final long LONG_NS = 50L * Caretaker.LOOK_NS_MAX;

  private final Plot plot;
  private final StagedMachine machine = new StagedMachine();
  private final Driving driving = new Driving(machine, 1, 1);
  private final List<Wait> waits = new ArrayList<>();
  private boolean flag;

  /** One wait of a thread. */
  private static final class Wait {
    final String name;
    final BooleanSupplier condition;

    /** Whether it takes the role and works each time that it has looked. */
    final boolean takes;

    boolean over;

    Wait(String name, BooleanSupplier condition, boolean takes) {
      this.name = name;
      this.condition = condition;
      this.takes = takes;
    }
  }

  DrivingStory(String plot) {
    this.plot = Plot.valueOf(plot);
  }

  @Override
  public void begin() {
    switch (plot) {
      case ONE_WAITS -> {
        waits("a", 0);
        sends(0);
      }
      case TWO_WAIT -> {
        waits("a", 0);
        waits("b", 1);
        sends(1, 0);
      }
      case ONE_TAKES -> {
        waits("a", 0);
        takes("b", () -> machine.send(0));
      }
      case TWO_TAKE -> {
        waits("a", 0);
        takes("b", () -> {});
        takes("c", () -> machine.send(0));
      }
      case ONE_IS_TOLD -> {
        waitsFor("a", () -> flag);
        tells();
      }
      case ONE_IS_TOLD_ONE_WAITS -> {
        waitsFor("a", () -> flag);
        waits("b", 0);
        tells();
        Thread _ = Stage.actor("net", false, this::sendsAfterwards);
      }
      case ONE_GIVES_UP -> {
        givesUp("a");
        waits("b", 0);
        sends(0);
      }
      case ONE_GIVES_UP_ONE_TAKES -> {
        givesUp("a");
        waits("b", 0);
        takes("c", () -> machine.send(0));
      }
      case ONE_IS_INTERRUPTED -> {
        Thread a = isInterrupted("a");
        waits("b", 0);
        Thread _ =
            Stage.actor(
                "c",
                false,
                () -> {
                  Stage.interrupt(a);
                  machine.send(0);
                });
      }
      case ONE_TAKES_WHEN_IT_LOOKS -> {
        waitsAndTakes("a", false, 0);
        sends(0);
      }
      case ONE_TAKES_WHEN_IT_LOOKS_ONE_WAITS -> {
        waitsAndTakes("a", false, 0);
        waits("b", 1);
        sends(0, 1);
      }
      case TWO_TAKE_WHEN_THEY_LOOK -> {
        waitsAndTakes("a", false, 0);
        waitsAndTakes("b", false, 1);
        sends(1, 0);
      }
      case SOMETHING_IS_DUE -> {
        waits("a", 0);
        Thread _ = Stage.actor("b", false, () -> arranges(0, SOON_NS));
      }
      case CARETAKER -> {
        sends(0, 1);
        caretakerUntil(() -> machine.hasArrived(0) && machine.hasArrived(1));
      }
      case CARETAKER_ONE_TAKES -> {
        takes("a", () -> machine.send(0));
        caretakerUntil(() -> machine.hasArrived(0));
      }
      case CARETAKER_SOMETHING_IS_DUE -> {
        Thread _ = Stage.actor("a", false, () -> arranges(0, LONG_NS));
        caretakerUntil(() -> machine.hasArrived(0));
      }
      case CARETAKER_SOMETHING_COMES_AND_IS_DUE -> {
        Thread _ = Stage.actor("a", false, () -> arranges(1, SOON_NS));
        sends(0);
        caretakerUntil(() -> machine.hasArrived(0) && machine.hasArrived(1));
      }
      case CARETAKER_ONE_WAITS -> {
        waits("a", 0);
        sends(0);
        caretakerUntil(this::allHaveWaited);
      }
      case CARETAKER_TWO_WAIT -> {
        waits("a", 0);
        waits("b", 1);
        sends(1, 0);
        caretakerUntil(this::allHaveWaited);
      }
      case CARETAKER_VIRTUAL_WAITS -> {
        virtualWaits("v", 0);
        sends(0);
        caretakerUntil(this::allHaveWaited);
      }
      case CARETAKER_VIRTUAL_AND_ONE_WAIT -> {
        virtualWaits("v", 0);
        waits("a", 1);
        sends(1, 0);
        caretakerUntil(this::allHaveWaited);
      }
      case CARETAKER_VIRTUAL_WAITS_ONE_TAKES -> {
        virtualWaits("v", 0);
        takes("a", () -> machine.send(0));
        caretakerUntil(this::allHaveWaited);
      }
      case CARETAKER_ONE_TAKES_WHEN_IT_LOOKS -> {
        waitsAndTakes("a", false, 0);
        sends(0);
        caretakerUntil(this::allHaveWaited);
      }
      case CARETAKER_VIRTUAL_TAKES_WHEN_IT_LOOKS -> {
        waitsAndTakes("v", true, 0);
        sends(0);
        caretakerUntil(this::allHaveWaited);
      }
      case CARETAKER_LEFT_ALONE -> {
        waits("a", 0);
        Thread _ = Stage.actor("net", false, this::sendsAfterAWhile);
        caretakerUntil(() -> machine.hasArrived(1));
      }
      case CARETAKER_ENDS -> {
        waits("a", 0);
        sends(0);
        begin(new Caretaker(driving, "caretaker", this::failed), () -> true, false);
      }
      case CARETAKER_ENDS_ONE_WAITS_ON -> {
        waits("a", 0);
        Caretaker caretaker = new Caretaker(driving, "caretaker", this::failed);
        caretaker.start();
        Thread _ = Stage.actor("closer", false, () -> endsThenSends(caretaker));
      }
    }
  }

  // What threads do.

  private void waits(String name, int token) {
    waitsFor(name, () -> machine.hasArrived(token));
  }

  private void waitsFor(String name, BooleanSupplier condition) {
    begin(new Wait(name, condition, false), false);
  }

  private void virtualWaits(String name, int token) {
    begin(new Wait(name, () -> machine.hasArrived(token), false), true);
  }

  private void waitsAndTakes(String name, boolean virtual, int token) {
    begin(new Wait(name, () -> machine.hasArrived(token), true), virtual);
  }

  private void begin(Wait wait, boolean virtual) {
    waits.add(wait);
    Thread _ = Stage.actor(wait.name, virtual, () -> waitNow(wait));
  }

  private void waitNow(Wait wait) {
    try {
      boolean so = driving.await(() -> look(wait), FAR_NS);
      check(so, wait.name + " waited in vain");
    } catch (InterruptedException e) {
      throw new AssertionError(wait.name + " was interrupted", e);
    }
    wait.over = true;
  }

  /** What comes behind the look, it may miss, and must be told of. */
  private boolean look(Wait wait) {
    boolean so = look(wait.condition);
    if (wait.takes) {
      driving.take();
      boolean _ = driving.work();
      driving.release();
    }
    return so;
  }

  private static boolean look(BooleanSupplier condition) {
    Stage.step("looks at what it waits for");
    return condition.getAsBoolean();
  }

  private void givesUp(String name) {
    Thread _ =
        Stage.actor(
            name,
            false,
            () -> {
              try {
                check(!driving.await(() -> look(() -> false), SOON_NS), "nothing came");
                check(Stage.nanoTime() >= SOON_NS, "it gave up too soon");
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
  }

  private Thread isInterrupted(String name) {
    return Stage.actor(
        name,
        false,
        () -> {
          try {
            boolean _ = driving.await(() -> look(() -> false), FAR_NS);
            throw new AssertionError("it was not interrupted");
          } catch (InterruptedException e) {
            check(!Stage.interrupted(), "an interrupt that was told remains");
          }
        });
  }

  private void takes(String name, Runnable then) {
    Thread _ =
        Stage.actor(
            name,
            false,
            () -> {
              driving.take();
              boolean _ = driving.work();
              driving.release();
              then.run();
            });
  }

  private void tells() {
    Thread _ =
        Stage.actor(
            "t",
            false,
            () -> {
              Stage.step("does it");
              flag = true;
              driving.tell();
            });
  }

  private void arranges(int token, long inNs) {
    driving.take();
    machine.arrange(token, Stage.nanoTime() + inNs);
    driving.release();
  }

  private void sends(int... tokens) {
    Thread _ =
        Stage.actor(
            "net",
            false,
            () -> {
              for (int token : tokens) {
                machine.send(token);
              }
            });
  }

  private void sendsAfterAWhile() {
    Stage.block("is idle", () -> false, LONG_NS);
    machine.send(0);
    Stage.block("waits for a", this::allHaveWaited, Stage.NEVER);
    machine.send(1);
  }

  private void endsThenSends(Caretaker caretaker) {
    Stage.block("waits for the caretaker to leave it alone", () -> false, LEFT_ALONE_NS);
    caretaker.end();
    machine.send(0);
  }

  /** Nothing comes that would tell the first one by chance. */
  private void sendsAfterwards() {
    Stage.block("waits for a", () -> waits.getFirst().over, Stage.NEVER);
    machine.send(0);
  }

  private boolean allHaveWaited() {
    return waits.stream().allMatch(wait -> wait.over);
  }

  private void caretakerUntil(BooleanSupplier last) {
    begin(new Caretaker(driving, "caretaker", this::failed), last, true);
  }

  private void begin(Caretaker one, BooleanSupplier last, boolean calm) {
    one.start();
    Thread _ =
        Stage.actor(
            "closer",
            false,
            () -> {
              Stage.block("waits for the end", last, Stage.NEVER);
              if (calm) {
                Stage.calm();
              }
              one.end();
            });
  }

  private void failed(Throwable why) {
    throw new AssertionError("the caretaker gave up", why);
  }

  // What must be so.

  @Override
  public void still() {
    for (Wait wait : waits) {
      check(wait.over || !wait.condition.getAsBoolean(), wait.name + " waits for what has come");
    }
    if (driving.role() == Driving.FREE) {
      boolean watched = machine.isWatched();
      check(followers() == 0 || watched, "the role is free, and somebody follows");
      check(field("watched").equals(watched), "the watch is not what it is said to be");
      check(wanted() == 0, "the role is free, and somebody wants it");
    } else {
      check(wanted() == 0, "the role is wanted, and its holder sleeps");
      machine.checkSleeper();
    }
  }

  @Override
  public void end() {
    check(driving.role() == Driving.FREE, "somebody has kept the role");
    check(followers() == 0, "somebody is still in the list of those who follow");
    check(wanted() == 0, "somebody still wants the role");
    check(field("sleeping").equals(false), "somebody still sleeps");
    check(field("watched").equals(false), "somebody is still said to watch");
    check(field("calledOff").equals(false), "somebody is still to be called");
    check(field("takenAgain").equals(0), "somebody has the role once more than it gave it back");
    check(allHaveWaited(), "somebody has not waited to the end");
    machine.checkEnd();
  }

  private int followers() {
    return ((Followers) field("followers")).size();
  }

  private int wanted() {
    return (int) field("wanted");
  }

  private Object field(String name) {
    try {
      Field field = Driving.class.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(driving);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
