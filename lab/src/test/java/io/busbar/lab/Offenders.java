package io.busbar.lab;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/** Classes that do what {@link Ban} forbids. They are looked at, and never run. */
final class Offenders {
  private Offenders() {}

  static final class Nanoseconds {
    long read() {
      return System.nanoTime();
    }
  }

  static final class Milliseconds {
    long read() {
      return System.currentTimeMillis();
    }
  }

  static final class Now {
    Instant read() {
      return Instant.now();
    }
  }

  static final class WallClock {
    long read() {
      return Clock.systemUTC().millis();
    }
  }

  static final class Sleeper {
    void rest() throws InterruptedException {
      Thread.sleep(1);
    }
  }

  static final class Starter {
    Thread start(Runnable work) {
      return Thread.ofVirtual().start(work);
    }
  }

  static final class Parker {
    void rest() {
      LockSupport.parkNanos(1);
    }
  }

  static final class Executor {
    ExecutorService make() {
      return Executors.newVirtualThreadPerTaskExecutor();
    }
  }

  static final class Locker {
    boolean lock() {
      return new ReentrantLock().tryLock();
    }
  }

  static final class PerThread {
    Object value(ThreadLocal<Object> local) {
      return local.get();
    }
  }

  static final class MathLuck {
    double draw() {
      return Math.random();
    }
  }

  static final class Dice {
    int draw() {
      return new Random(1).nextInt();
    }
  }

  static final class ThreadDice {
    int draw() {
      return ThreadLocalRandom.current().nextInt();
    }
  }

  static final class Unseeded {
    int draw() {
      return new SplittableRandom().nextInt();
    }
  }

  static final class AnyGenerator {
    int draw() {
      return RandomGenerator.getDefault().nextInt();
    }
  }

  static final class Identity {
    String draw() {
      return UUID.randomUUID().toString();
    }
  }

  static final class Secret {
    int draw() {
      return new SecureRandom().nextInt();
    }
  }

  static final class FileReader {
    long size(Path path) throws IOException {
      return Files.size(path);
    }
  }

  static final class Socket {
    int port(InetSocketAddress address) {
      return address.getPort();
    }
  }

  static final class Channel {
    boolean isOpen(DatagramChannel channel) {
      return channel.isOpen();
    }
  }

  static final class Printer {
    void print(String line) {
      System.out.println(line);
    }
  }
}
