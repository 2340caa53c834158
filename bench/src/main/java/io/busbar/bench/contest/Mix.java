package io.busbar.bench.contest;

/**
 * Short questions beside long messages, from one program to another. Both come at times that were
 * fixed before, so that what is late counts as late, and delays nothing that follows.
 *
 * @param bytes of a question, and of its answer
 * @param count of questions
 * @param everyNs between two questions
 * @param bulkBytes of a long message
 * @param bulkEveryNs between two long messages
 */
public record Mix(int bytes, int count, long everyNs, int bulkBytes, long bulkEveryNs) {
  /** Refuses what never ends. */
  public Mix {
    if (bytes < 1 || count < 1 || everyNs < 1 || bulkBytes < 1 || bulkEveryNs < 1) {
      throw new IllegalArgumentException("all of it is at least 1");
    }
  }

  /** Long messages in all: for as long as there are questions. */
  int bulks() {
    return (int) Math.max(1, count * everyNs / bulkEveryNs);
  }

  /** As it is told to a station. */
  String text() {
    return "%d %d %d %d %d".formatted(bytes, count, everyNs, bulkBytes, bulkEveryNs);
  }

  static Mix parse(String[] words) {
    return new Mix(
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Long.parseLong(words[3]),
        Integer.parseInt(words[4]),
        Long.parseLong(words[5]));
  }

  /** What is due, by the clock of who sends. */
  final class Agenda {
    private final long startNs = System.nanoTime();
    private final long[] latenciesNs;
    private int bulksSent;
    private int asked;
    private int answered;

    /** An agenda that notes how late each answer was. */
    Agenda(long[] latenciesNs) {
      this.latenciesNs = latenciesNs;
    }

    private long nowNs() {
      return System.nanoTime() - startNs;
    }

    boolean isOver() {
      return answered == count && bulksSent == bulks();
    }

    /** Whether a long message is to be sent; {@link #bulkSent} says that it was. */
    boolean wantsBulk() {
      return bulksSent < bulks() && nowNs() >= bulksSent * bulkEveryNs;
    }

    void bulkSent() {
      bulksSent++;
    }

    /** Whether a question is to be sent; {@link #asked} says that it was. */
    boolean wantsQuestion() {
      return asked < count && asked == answered && nowNs() >= asked * everyNs;
    }

    void asked() {
      asked++;
    }

    /** Whether a question is on its way. */
    boolean waits() {
      return asked > answered;
    }

    int answers() {
      return answered;
    }

    /** The answer has come: it took from when its question was due. */
    void answered() {
      latenciesNs[answered] = nowNs() - answered * everyNs;
      answered++;
    }
  }
}
