package io.busbar.memory;

/** Words that do less than they should. */
enum Breakage {
  /** Nothing is wrong. */
  NONE {
    @Override
    Words of(Words words) {
      return words;
    }
  },
  /** A compare-and-swap is a look, and then a store. */
  LOOK_THEN_STORE {
    @Override
    Words of(Words words) {
      return new Wrapped(words) {
        @Override
        public boolean replace(long index, long expected, long word) {
          boolean same = words.get(index) == expected;
          if (same) {
            words.hint(index, word);
          }
          return same;
        }
      };
    }
  },
  /** A compare-and-swap compares all but the generation. */
  GENERATION_IGNORED {
    @Override
    Words of(Words words) {
      return new Wrapped(words) {
        @Override
        public boolean replace(long index, long expected, long word) {
          long now = words.get(index);
          return (int) now == (int) expected && words.replace(index, now, word);
        }
      };
    }
  },
  /** A block is freed, and the next one with it. */
  FREE_SPILLS_OVER {
    @Override
    Words of(Words words) {
      return new Wrapped(words) {
        @Override
        public boolean replace(long index, long expected, long word) {
          boolean done = words.replace(index, expected, word);
          if (done && BlockWord.isFree(word) && index + 1 < PoolLayout.ZONE_BLOCKS) {
            words.hint(index + 1, word);
          }
          return done;
        }
      };
    }
  },
  /** Hints are never written: allowed, because they are hints. */
  HINTS_LOST {
    @Override
    Words of(Words words) {
      return new Wrapped(words) {
        @Override
        public void hint(long index, long word) {}
      };
    }
  };

  /** The words that a pool gets in the place of sound ones. */
  abstract Words of(Words words);

  private abstract static class Wrapped implements Words {
    private final Words words;

    Wrapped(Words words) {
      this.words = words;
    }

    @Override
    public long get(long index) {
      return words.get(index);
    }

    @Override
    public boolean replace(long index, long expected, long word) {
      return words.replace(index, expected, word);
    }

    @Override
    public void hint(long index, long word) {
      words.hint(index, word);
    }
  }
}
