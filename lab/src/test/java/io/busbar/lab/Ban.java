package io.busbar.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** What a protocol may not do, and test classes that do it. */
enum Ban {
  CLOCKS,
  THREADS,
  LUCK,
  INPUT_AND_OUTPUT;

  /** What must hold of a room. */
  ArchRule rule() {
    return switch (this) {
      case CLOCKS ->
          noClasses()
              .should()
              .callMethod(System.class, "nanoTime")
              .orShould()
              .callMethod(System.class, "currentTimeMillis")
              .orShould()
              .dependOnClassesThat()
              .resideInAnyPackage("java.time..")
              .orShould()
              .dependOnClassesThat()
              .haveFullyQualifiedName("java.util.Date");
      case THREADS ->
          noClasses()
              .should()
              .dependOnClassesThat()
              .areAssignableTo(Thread.class)
              .orShould()
              .dependOnClassesThat()
              .resideInAnyPackage("java.util.concurrent..")
              .orShould()
              .dependOnClassesThat()
              .areAssignableTo(ThreadLocal.class);
      case LUCK ->
          noClasses()
              .should()
              .callMethod(Math.class, "random")
              .orShould()
              .dependOnClassesThat()
              .areAssignableTo(Random.class)
              .orShould()
              .callConstructor(SplittableRandom.class)
              .orShould()
              .dependOnClassesThat()
              .resideInAnyPackage("java.util.random..", "java.security..")
              .orShould()
              .dependOnClassesThat()
              .areAssignableTo(UUID.class)
              .orShould()
              .dependOnClassesThat()
              .areAssignableTo(ThreadLocalRandom.class);
      case INPUT_AND_OUTPUT ->
          noClasses()
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "java.io..", "java.net..", "java.nio.channels..", "java.nio.file..");
    };
  }

  /** Classes of which it does not hold. */
  List<Class<?>> offenders() {
    return switch (this) {
      case CLOCKS ->
          List.of(
              Offenders.Nanoseconds.class,
              Offenders.Milliseconds.class,
              Offenders.Now.class,
              Offenders.WallClock.class);
      case THREADS ->
          List.of(
              Offenders.Sleeper.class,
              Offenders.Starter.class,
              Offenders.Parker.class,
              Offenders.Executor.class,
              Offenders.Locker.class,
              Offenders.PerThread.class);
      case LUCK ->
          List.of(
              Offenders.MathLuck.class,
              Offenders.Dice.class,
              Offenders.ThreadDice.class,
              Offenders.Unseeded.class,
              Offenders.AnyGenerator.class,
              Offenders.Identity.class,
              Offenders.Secret.class);
      case INPUT_AND_OUTPUT ->
          List.of(
              Offenders.FileReader.class,
              Offenders.Socket.class,
              Offenders.Channel.class,
              Offenders.Printer.class);
    };
  }
}
