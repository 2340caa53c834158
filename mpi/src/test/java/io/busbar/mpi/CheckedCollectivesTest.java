package io.busbar.mpi;

import org.junit.jupiter.api.Tag;

/** What holds without being checked holds with it. */
@Tag("long")
class CheckedCollectivesTest extends CollectivesTest {
  @Override
  MpiConfig config() {
    return MpiConfig.defaults().checked();
  }
}
