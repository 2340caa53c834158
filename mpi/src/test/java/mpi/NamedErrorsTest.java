package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error names the call that the program has made, and what was wrong with it. */
@Timeout(60)
class NamedErrorsTest {
  private static final Intracomm SELF = MPI.COMM_WORLD;

  private final int[] one = {1};
  private final int[] zero = {0};

  @BeforeEach
  void begin() {
    String[] _ = MPI.Init(new String[0]);
  }

  @AfterEach
  void end() {
    MPI.Finalize();
  }

  private static void refuse(Map<String, ThrowingCallable> calls, int errorClass, String words) {
    calls.forEach(
        (name, call) -> {
          MPIException e = catchThrowableOfType(MPIException.class, call);
          assertThat(e).as(name).isNotNull().hasMessage(name + ": " + words);
          assertThat(e.getErrorClass()).as(name).isEqualTo(errorClass);
        });
  }

  /** Calls that make a type of another one. */
  private Map<String, ThrowingCallable> derivations(Datatype old) {
    Datatype[] types = {old};
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("Datatype.createContiguous", () -> Datatype.createContiguous(1, old));
    calls.put("Datatype.createVector", () -> Datatype.createVector(1, 1, 1, old));
    calls.put("Datatype.createHVector", () -> Datatype.createHVector(1, 1, 1, old));
    calls.put("Datatype.createIndexed", () -> Datatype.createIndexed(one, zero, old));
    calls.put("Datatype.createHIndexed", () -> Datatype.createHIndexed(one, zero, old));
    calls.put("Datatype.createStruct", () -> Datatype.createStruct(one, zero, types));
    calls.put("Datatype.createResized", () -> Datatype.createResized(old, 0, 1));
    calls.put("Datatype.Contiguous", () -> Datatype.Contiguous(1, old));
    calls.put("Datatype.Vector", () -> Datatype.Vector(1, 1, 1, old));
    calls.put("Datatype.Hvector", () -> Datatype.Hvector(1, 1, 1, old));
    calls.put("Datatype.Indexed", () -> Datatype.Indexed(one, zero, old));
    calls.put("Datatype.Hindexed", () -> Datatype.Hindexed(one, zero, old));
    calls.put("Datatype.Struct", () -> Datatype.Struct(one, zero, types));
    calls.put("Struct.addData", () -> MPI.int2.addData(old));
    calls.put("Status.getCount", () -> new Status().getCount(old));
    calls.put("Status.Get_count", () -> new Status().Get_count(old));
    calls.put("Status.getElements", () -> new Status().getElements(old));
    calls.put("Comm.Isend", () -> SELF.Isend(one, 0, 1, old, 0, 0));
    calls.put("Comm.iBcast", () -> SELF.iBcast(MPI.newIntBuffer(1), 1, old, 0));
    return calls;
  }

  @Test
  void typesThatWereFreed() {
    Datatype freed = Datatype.createContiguous(1, MPI.INT);
    freed.free();
    Map<String, ThrowingCallable> calls = derivations(freed);
    calls.put("Datatype.getLb", freed::getLb);
    calls.put("Datatype.getExtent", freed::getExtent);
    calls.put("Datatype.getTrueLb", freed::getTrueLb);
    calls.put("Datatype.getTrueExtent", freed::getTrueExtent);
    calls.put("Datatype.getSize", freed::getSize);
    calls.put("Datatype.commit", freed::commit);
    calls.put("Datatype.dup", freed::dup);
    calls.put("Datatype.Lb", freed::Lb);
    calls.put("Datatype.Ub", freed::Ub);
    calls.put("Datatype.Extent", freed::Extent);
    calls.put("Datatype.Size", freed::Size);
    calls.put("Datatype.Commit", freed::Commit);
    refuse(calls, MPI.ERR_TYPE, "the datatype is null, or was freed");
    refuse(derivations(null), MPI.ERR_TYPE, "the datatype is null, or was freed");
  }

  @Test
  void groupsThatWereFreed() {
    Group all = SELF.Group();
    Group freed = SELF.Group();
    freed.free();
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("Group.getSize", freed::getSize);
    calls.put("Group.getRank", freed::getRank);
    calls.put("Group.incl", () -> freed.incl(zero));
    calls.put("Group.excl", () -> freed.excl(zero));
    calls.put("Group.rangeIncl", () -> freed.rangeIncl(new int[0][]));
    calls.put("Group.rangeExcl", () -> freed.rangeExcl(new int[0][]));
    calls.put("Group.Size", freed::Size);
    calls.put("Group.Rank", freed::Rank);
    calls.put("Group.Incl", () -> freed.Incl(zero));
    calls.put("Group.Excl", () -> freed.Excl(zero));
    calls.put("Group.Range_incl", () -> freed.Range_incl(new int[0][]));
    calls.put("Group.Range_excl", () -> freed.Range_excl(new int[0][]));
    calls.put("Comm.create", () -> SELF.create(freed));
    calls.put("Comm.createGroup", () -> SELF.createGroup(freed, 0));
    calls.put("Comm.Create", () -> SELF.Create(null));
    refuse(calls, MPI.ERR_GROUP, "the group is null, or was freed");
    refuse(pairs(freed, all), MPI.ERR_GROUP, "group1 is null, or was freed");
    refuse(pairs(all, null), MPI.ERR_GROUP, "group2 is null, or was freed");
  }

  private Map<String, ThrowingCallable> pairs(Group first, Group second) {
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("Group.union", () -> Group.union(first, second));
    calls.put("Group.intersection", () -> Group.intersection(first, second));
    calls.put("Group.difference", () -> Group.difference(first, second));
    calls.put("Group.compare", () -> Group.compare(first, second));
    calls.put("Group.translateRanks", () -> Group.translateRanks(first, zero, second));
    calls.put("Group.Union", () -> Group.Union(first, second));
    calls.put("Group.Intersection", () -> Group.Intersection(first, second));
    calls.put("Group.Difference", () -> Group.Difference(first, second));
    calls.put("Group.Compare", () -> Group.Compare(first, second));
    calls.put("Group.Translate_ranks", () -> Group.Translate_ranks(first, zero, second));
    return calls;
  }

  @Test
  void hintsThatWereFreed() {
    Info freed = new Info();
    freed.free();
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("Info.set", () -> freed.set("key", "value"));
    calls.put("Info.get", () -> freed.get("key"));
    calls.put("Info.delete", () -> freed.delete("key"));
    calls.put("Info.size", freed::size);
    calls.put("Info.getKey", () -> freed.getKey(0));
    calls.put("Info.dup", freed::dup);
    calls.put("Info.free", freed::free);
    calls.put("Comm.setInfo", () -> SELF.setInfo(freed));
    refuse(calls, MPI.ERR_INFO, "the info is null, or was freed");
    refuse(
        Map.of("Comm.setInfo", () -> SELF.setInfo(null)),
        MPI.ERR_INFO,
        "the info is null, or was freed");
  }

  @Test
  void hintsThatAreWrong() {
    Info hints = new Info();
    String words = "a key has 1 to %d characters, not ".formatted(MPI.MAX_INFO_KEY);
    refuse(Map.of("Info.set", () -> hints.set("", "value")), MPI.ERR_INFO_KEY, words);
    refuse(Map.of("Info.get", () -> hints.get("")), MPI.ERR_INFO_KEY, words);
    refuse(
        Map.of("Info.set", () -> hints.set("key", null)),
        MPI.ERR_INFO_VALUE,
        "a value has at most %d characters".formatted(MPI.MAX_INFO_VAL));
    refuse(
        Map.of("Info.delete", () -> hints.delete("key")),
        MPI.ERR_INFO_NOKEY,
        "there is no key key");
    refuse(Map.of("Info.getKey", () -> hints.getKey(0)), MPI.ERR_ARG, "key 0; there are 0 keys");
  }

  @Test
  void keysThatAreNone() {
    int none = 12;
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("Comm.setAttr", () -> SELF.setAttr(none, "value"));
    calls.put("Comm.getAttr", () -> SELF.getAttr(none));
    calls.put("Comm.deleteAttr", () -> SELF.deleteAttr(none));
    calls.put("Comm.freeKeyval", () -> Comm.freeKeyval(none));
    calls.put("Comm.Attr_put", () -> SELF.Attr_put(none, "value"));
    calls.put("Comm.Attr_get", () -> SELF.Attr_get(none));
    calls.put("Comm.Attr_delete", () -> SELF.Attr_delete(none));
    calls.put("Datatype.setAttr", () -> MPI.INT.setAttr(none, "value"));
    calls.put("Datatype.getAttr", () -> MPI.INT.getAttr(none));
    calls.put("Datatype.deleteAttr", () -> MPI.INT.deleteAttr(none));
    calls.put("Datatype.freeKeyval", () -> Datatype.freeKeyval(none));
    refuse(calls, MPI.ERR_KEYVAL, "keyval 12 is no key");
    int key = Comm.createKeyval();
    refuse(
        Map.of("Comm.Attr_delete", () -> SELF.Attr_delete(key)),
        MPI.ERR_KEYVAL,
        "there is no attribute with keyval " + key);
  }

  @Test
  void topologiesThatDoNotFit() {
    boolean[] rings = {true};
    int[] two = {2};
    String words = "a grid of 2 processes, and there are 1";
    refuse(
        Map.of(
            "Comm.createCart",
            () -> SELF.createCart(two, rings, false),
            "Comm.Create_cart",
            () -> SELF.Create_cart(two, rings, false)),
        MPI.ERR_DIMS,
        words);
    refuse(
        Map.of(
            "Comm.createGraph",
            () -> SELF.createGraph(one, one, false),
            "Comm.Create_graph",
            () -> SELF.Create_graph(one, one, false)),
        MPI.ERR_ARG,
        "an edge to 1");
  }

  @Test
  void whatIsPredefinedStays() {
    Map<String, ThrowingCallable> types = new LinkedHashMap<>();
    types.put("Datatype.free", MPI.INT::free);
    types.put("Datatype.Free", MPI.DOUBLE_INT::Free);
    refuse(types, MPI.ERR_TYPE, "a predefined type cannot be freed");
    refuse(Map.of("Op.free", MPI.SUM::free), MPI.ERR_OP, "a predefined operation cannot be freed");
    refuse(
        Map.of("Group.free", MPI.GROUP_EMPTY::free),
        MPI.ERR_GROUP,
        "a predefined group cannot be freed");
    String words = "a predefined communicator cannot be freed";
    refuse(Map.of("Comm.free", MPI.COMM_SELF::free), MPI.ERR_COMM, words);
    refuse(Map.of("Comm.free", MPI.COMM_WORLD::Free), MPI.ERR_COMM, words);
    assertThat(MPI.INT.isNull() || MPI.SUM.isNull() || MPI.GROUP_EMPTY.isNull()).isFalse();
    assertThat(MPI.COMM_SELF.isNull()).isFalse();
  }
}
