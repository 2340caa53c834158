package io.busbar.memory;

/** Words whose user dies before a chosen store. */
final class MortalWords implements Words {
  /** The process ends here. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Words words;
  private int storesLeft = Integer.MAX_VALUE;

  MortalWords(Words words) {
    this.words = words;
  }

  /** Runs a life that ends before its store of this number, if it gets so far. */
  boolean diesAt(int store, Runnable life) {
    storesLeft = store;
    try {
      life.run();
      return false;
    } catch (Killed e) {
      return true;
    }
  }

  @Override
  public long get(long index) {
    return words.get(index);
  }

  @Override
  public boolean replace(long index, long expected, long word) {
    live();
    return words.replace(index, expected, word);
  }

  @Override
  public void hint(long index, long word) {
    live();
    words.hint(index, word);
  }

  private void live() {
    if (storesLeft-- == 0) {
      throw new Killed();
    }
  }
}
