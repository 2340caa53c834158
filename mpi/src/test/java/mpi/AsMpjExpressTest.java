package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

  /** Programs ask until nothing more is over; the other interface says it in another way. */
  @Test
  void whatIsNotActiveIsNotOver() {
    Request over = SELF.Isend(new int[0], 0, 0, MPI.INT, MPI.PROC_NULL, 0);
    Status _ = over.Wait();
    Request[] none = {null, over};
    assertThat(Request.Testany(none)).isNull();
    assertThat(Request.Testsome(none)).isEmpty();
    assertThat(Request.testAny(none)).isEqualTo(MPI.UNDEFINED);
    assertThat(Request.testSome(none)).isNull();
    assertThat(Request.testSomeStatus(none)).isNull();
    assertThat(Request.Waitany(none).index).isEqualTo(MPI.UNDEFINED);
    assertThat(Request.Waitsome(none)).isNull();
  }

  private static void refuses(int errorClass, String words, ThrowingCallable call) {
    MPIException e = catchThrowableOfType(MPIException.class, call);
    assertThat(e).as(words).isNotNull().hasMessageContaining(words);
    assertThat(e.getErrorClass()).as(e.getMessage()).isEqualTo(errorClass);
  }

  private static void send(int count) {
    SELF.Isend(new int[] {5, 6, 7, 8}, 0, count, MPI.INT, 0, 1).Free();
  }

  /** What comes may be shorter than what is asked for; it is what has to fit. */
  @Test
  void receivesMayAskForMoreThanTheArrayHas() {
    int[] in = new int[4];
    send(2);
    Status status = SELF.Recv(in, 2, 100, MPI.INT, 0, 1);
    assertThat(in).containsExactly(0, 0, 5, 6);
    assertThat(status.Get_count(MPI.INT)).isEqualTo(2);
    send(2);
    Status _ = SELF.Irecv(in, 1, 100, MPI.INT, 0, 1).Wait();
    assertThat(in).containsExactly(0, 5, 6, 6);
    Prequest again = SELF.Recv_init(in, 0, 100, MPI.INT, 0, 1);
    again.Start();
    send(4);
    Status _ = again.Wait();
    assertThat(in).containsExactly(5, 6, 7, 8);
    Status _ = SELF.Sendrecv(in, 0, 1, MPI.INT, 0, 1, in, 3, 100, MPI.INT, 0, 1);
    assertThat(in).containsExactly(5, 6, 7, 5);
    send(0);
    status = SELF.Recv(in, 4, 100, MPI.INT, 0, 1);
    assertThat(status.Get_count(MPI.INT)).isZero();
    String[] words = new String[2];
    SELF.Isend(new Object[] {"one"}, 0, 1, MPI.OBJECT, 0, 1).Free();
    Status _ = SELF.Recv(words, 1, 100, MPI.OBJECT, 0, 1);
    assertThat(words).containsExactly(null, "one");
    Datatype pairs = Datatype.Vector(2, 1, 2, MPI.INT);
    send(2);
    Status _ = SELF.Recv(in, 1, 100, pairs, 0, 1);
    assertThat(in).containsExactly(5, 5, 7, 6);
  }

  @Test
  void messagesThatDoNotFitTheArrayAreRefused() {
    int[] in = new int[4];
    send(3);
    refuses(MPI.ERR_TRUNCATE, "Recv", () -> SELF.Recv(in, 2, 100, MPI.INT, 0, 1));
    send(3);
    Request came = SELF.Irecv(in, 2, 100, MPI.INT, 0, 1);
    refuses(MPI.ERR_TRUNCATE, "room for 8", came::Wait);
    assertThat(in).startsWith(0, 0);
    SELF.Isend(new Object[] {"one", "two"}, 0, 2, MPI.OBJECT, 0, 1).Free();
    refuses(MPI.ERR_TRUNCATE, "Recv", () -> SELF.Recv(new Object[1], 0, 100, MPI.OBJECT, 0, 1));
    refuses(MPI.ERR_BUFFER, "Recv", () -> SELF.Recv(in, 5, 1, MPI.INT, 0, 1));
    refuses(MPI.ERR_BUFFER, "Recv", () -> SELF.Recv(in, -1, 100, MPI.INT, 0, 1));
    refuses(MPI.ERR_BUFFER, "Recv", () -> SELF.Recv(in, 0, 100, MPI.OBJECT, 0, 1));
    refuses(MPI.ERR_BUFFER, "Recv", () -> SELF.Recv(null, 0, 100, MPI.INT, 0, 1));
    refuses(MPI.ERR_COUNT, "Recv", () -> SELF.Recv(in, 0, -1, MPI.INT, 0, 1));
    refuses(MPI.ERR_BUFFER, "recv", () -> SELF.recv(in, 100, MPI.INT, 0, 1));
  }
}
