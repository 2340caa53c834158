package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Numbers that compilers have put into programs: they stay what they are. */
class ConstantsTest {
  private static final String NUMBERS =
      """
      THREAD_SINGLE=0 THREAD_FUNNELED=1 THREAD_SERIALIZED=2 THREAD_MULTIPLE=3 GRAPH=1
      CART=2 DIST_GRAPH=3 ANY_SOURCE=-2 ANY_TAG=-2 PROC_NULL=-3 ROOT=-4 UNDEFINED=-1
      IDENT=0 CONGRUENT=3 SIMILAR=1 UNEQUAL=2 TAG_UB=1 HOST=2 IO=3 WTIME_IS_GLOBAL=4
      APPNUM=5 LASTUSEDCODE=6 UNIVERSE_SIZE=7 WIN_BASE=8 WIN_SIZE=9 WIN_DISP_UNIT=10
      KEYVAL_INVALID=-1 VERSION=4 SUBVERSION=1 BSEND_OVERHEAD=0 SEND_OVERHEAD=0
      RECV_OVERHEAD=0 MAX_OBJECT_NAME=128 MAX_PORT_NAME=1024 MAX_DATAREP_STRING=128
      MAX_INFO_KEY=255 MAX_INFO_VAL=1024 ORDER_C=0 ORDER_FORTRAN=1 DISTRIBUTE_BLOCK=0
      DISTRIBUTE_CYCLIC=1 DISTRIBUTE_NONE=2 DISTRIBUTE_DFLT_DARG=-1 MODE_CREATE=1
      MODE_RDONLY=2 MODE_WRONLY=4 MODE_RDWR=8 MODE_DELETE_ON_CLOSE=16 MODE_UNIQUE_OPEN=32
      MODE_EXCL=64 MODE_APPEND=128 MODE_SEQUENTIAL=256 DISPLACEMENT_CURRENT=-54278278
      SEEK_SET=0 SEEK_CUR=1 SEEK_END=2 MODE_NOCHECK=1 MODE_NOPRECEDE=2 MODE_NOPUT=4
      MODE_NOSTORE=8 MODE_NOSUCCEED=16 LOCK_EXCLUSIVE=1 LOCK_SHARED=2 SUCCESS=0
      ERR_BUFFER=1 ERR_COUNT=2 ERR_TYPE=3 ERR_TAG=4 ERR_COMM=5 ERR_RANK=6 ERR_REQUEST=7
      ERR_ROOT=8 ERR_GROUP=9 ERR_OP=10 ERR_TOPOLOGY=11 ERR_DIMS=12 ERR_ARG=13
      ERR_UNKNOWN=14 ERR_TRUNCATE=15 ERR_OTHER=16 ERR_INTERN=17 ERR_IN_STATUS=18
      ERR_PENDING=19 ERR_ACCESS=20 ERR_AMODE=21 ERR_ASSERT=22 ERR_BAD_FILE=23 ERR_BASE=24
      ERR_CONVERSION=25 ERR_DISP=26 ERR_DUP_DATAREP=27 ERR_FILE_EXISTS=28
      ERR_FILE_IN_USE=29 ERR_FILE=30 ERR_INFO_KEY=31 ERR_INFO_NOKEY=32 ERR_INFO_VALUE=33
      ERR_INFO=34 ERR_IO=35 ERR_KEYVAL=36 ERR_LOCKTYPE=37 ERR_NAME=38 ERR_NO_MEM=39
      ERR_NOT_SAME=40 ERR_NO_SPACE=41 ERR_NO_SUCH_FILE=42 ERR_PORT=43 ERR_PROC_ABORTED=44
      ERR_QUOTA=45 ERR_READ_ONLY=46 ERR_RMA_CONFLICT=47 ERR_RMA_SYNC=48 ERR_SERVICE=49
      ERR_SIZE=50 ERR_SPAWN=51 ERR_UNSUPPORTED_DATAREP=52 ERR_UNSUPPORTED_OPERATION=53
      ERR_WIN=54 ERR_SYSRESOURCE=56 ERR_LASTCODE=57
      """;

  private static Map<String, Integer> pinned() {
    Map<String, Integer> all = new TreeMap<>();
    for (String one : NUMBERS.strip().split("\\s+", -1)) {
      int equals = one.indexOf('=');
      all.put(one.substring(0, equals), Integer.valueOf(one.substring(equals + 1)));
    }
    return all;
  }

  @Test
  void everyNumberIsWhatItWas() throws ReflectiveOperationException {
    Map<String, Integer> found = new TreeMap<>();
    for (Field field : MPI.class.getFields()) {
      boolean isNumber = field.getType() == int.class && Modifier.isFinal(field.getModifiers());
      if (isNumber && !field.getName().equals("NUM_OF_PROCESSORS")) {
        found.put(field.getName(), field.getInt(null));
      }
    }
    assertThat(found).isEqualTo(pinned());
  }

  /** What is no rank, no tag and no colour is told from those, and from each other. */
  @Test
  void namesForNobodyDiffer() {
    int[] none = {MPI.UNDEFINED, MPI.ANY_SOURCE, MPI.PROC_NULL, MPI.ROOT};
    assertThat(none).doesNotHaveDuplicates();
    assertThat(Arrays.stream(none)).allMatch(number -> number < 0);
    assertThat(MPI.ANY_TAG).isEqualTo(MPI.ANY_SOURCE);
    assertThat(Comm.TYPE_SHARED).isZero();
    assertThat(Group.EMPTY).isZero();
    assertThat(Win.WIN_NULL).isZero();
  }
}
