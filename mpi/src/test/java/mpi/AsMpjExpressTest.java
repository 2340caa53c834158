package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs rely on because MPJ Express does it. */
@Timeout(60)
class AsMpjExpressTest {
  private static final Intracomm SELF = MPI.COMM_WORLD;

  @BeforeEach
  void begin() {
    String[] _ = MPI.Init(new String[0]);
  }

  @AfterEach
  void end() {
    if (MPI.Initialized()) {
      MPI.Finalize();
    }
  }

  @Test
  void requestsThatAreNullAreNotBegun() {
    int[] in = {0};
    Prequest receive = SELF.Recv_init(in, 0, 1, MPI.INT, 0, 1);
    Prequest send = SELF.Send_init(new int[] {7}, 0, 1, MPI.INT, 0, 1);
    Prequest[] all = {null, receive, null, send};
    Prequest.Startall(all);
    Status[] _ = Request.Waitall(all);
    Prequest.startAll(all);
    Request.waitAll(all);
    assertThat(in[0]).isEqualTo(7);
  }

  @Test
  void anotherBufferTakesThePlaceOfTheFirst() {
    byte[] second = new byte[20];
    MPI.Buffer_attach(new byte[10]);
    MPI.Buffer_attach(ByteBuffer.allocate(10));
    MPI.Buffer_attach(second);
    assertThatThrownBy(() -> MPI.attachBuffer(new byte[30])).hasMessageContaining("before");
    assertThat(MPI.Buffer_detach()).isSameAs(second);
  }

  @Test
  void threadsMayBeAskedForBesidesInit() {
    String[] words = {"one", "two"};
    assertThat(MPI.initThread(MPI.THREAD_MULTIPLE, 0, words)).containsExactly(words);
    assertThat(MPI.InitThread(words, MPI.THREAD_SINGLE)).isEqualTo(MPI.THREAD_MULTIPLE);
    assertThatThrownBy(() -> MPI.Init(words)).hasMessageContaining("initialised before");
    MPI.Finalize();
    assertThat(MPI.initThread(MPI.THREAD_MULTIPLE, 0, words)).containsExactly(words);
    assertThat(MPI.Init(words)).containsExactly(words);
    assertThat(SELF.Rank()).isZero();
    assertThatThrownBy(() -> MPI.Init(words)).hasMessageContaining("initialised before");
    MPI.Finalize();
    assertThat(MPI.Init(words)).containsExactly(words);
    assertThatThrownBy(() -> MPI.Init(words)).hasMessageContaining("initialised before");
  }
}
