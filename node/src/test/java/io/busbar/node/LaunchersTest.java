package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that were started by others. */
class LaunchersTest {
  /** Variables as {@code env} prints them, with spaces between. */
  private static Map<String, String> environment(String text) {
    Map<String, String> environment = new HashMap<>();
    Arrays.stream(text.split(" ", -1))
        .map(each -> each.split("=", 2))
        .forEach(each -> environment.put(each[0], each[1]));
    return environment;
  }

  private static void isRank2Of5(String text, String job) {
    NodeConfig config = NodeConfig.of(environment(text));
    Discovery discovery = Objects.requireNonNull(config.discovery());
    assertThat(discovery.id()).isEqualTo(2);
    assertThat(discovery.expected()).isEqualTo(5);
    assertThat(config.cluster()).isEqualTo(job);
    assertThat(config.name()).isEqualTo("node-2");
  }

  @ParameterizedTest
  @CsvSource({
    "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=5 OMPI_MCA_ess_base_jobid=7, 7",
    "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=5 PMIX_RANK=2 PMIX_NAMESPACE=space, space",
    "PMI_RANK=2 PMI_SIZE=5 PMI_JOBID=kvs, kvs",
    "PMI_RANK=2 PMI_SIZE=5 BUSBAR_JOB=mine, mine",
    "PMIX_RANK=2 PMI_SIZE=5 PMIX_NAMESPACE=space, space",
    "SLURM_PROCID=2 SLURM_NTASKS=5 SLURM_STEP_ID=0 SLURM_JOB_ID=77, 77:0",
    "RANK=2 WORLD_SIZE=5 MASTER_ADDR=head MASTER_PORT=99 TORCHELASTIC_RUN_ID=none, head:99",
    "RANK=2 WORLD_SIZE=5 TORCHELASTIC_RUN_ID=run, run",
    "BUSBAR_RANK=2 BUSBAR_SIZE=5 BUSBAR_JOB=mine BUSBAR_SEEDS=10.0.0.1, mine",
  })
  void rankAndSizeAreTheLaunchers(String text, String job) {
    isRank2Of5(text, job);
  }

  @ParameterizedTest
  @CsvSource({
    "PMIX_RANK=2",
    "PMI_SIZE=5",
    "OMPI_COMM_WORLD_RANK=2",
    "RANK=2",
    "PMIX_RANK=2 WORLD_SIZE=5",
    "SLURM_PROCID=0 SLURM_NTASKS=5 SLURM_JOB_ID=77",
    "PMI_RANK=0 PMI_SIZE=1",
  })
  void whoIsNotOneOfManyIsAlone(String text) {
    NodeConfig config = NodeConfig.of(environment(text));
    assertThat(config.discovery()).isNull();
    assertThat(config.size()).isOne();
  }

  @Test
  void agreementIsFine() {
    isRank2Of5("PMI_RANK=2 PMI_SIZE=5 RANK=2 WORLD_SIZE=5 PMIX_RANK=2 PMI_JOBID=kvs", "kvs");
  }

  /** Its daemons are started by srun, and hand their variables on. */
  @Test
  void mpiInSlurmCountsItsOwn() {
    isRank2Of5(
        "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=5 OMPI_MCA_ess_base_jobid=7"
            + " SLURM_PROCID=1 SLURM_NTASKS=2 SLURM_STEP_ID=0 SLURM_JOB_ID=77",
        "7");
  }

  @ParameterizedTest
  @CsvSource({
    "PMI_RANK=2 PMI_SIZE=5 RANK=3 WORLD_SIZE=5, PMI_RANK is 2 and RANK is 3",
    "PMI_RANK=2 PMI_SIZE=5 RANK=2 WORLD_SIZE=6, PMI_SIZE is 5 and WORLD_SIZE is 6",
    "PMI_RANK=2 PMI_SIZE=5 PMIX_RANK=1, PMI_RANK is 2 and PMIX_RANK is 1",
    "BUSBAR_RANK=0 BUSBAR_SIZE=1 PMI_RANK=0 PMI_SIZE=5, BUSBAR_SIZE is 1 and PMI_SIZE is 5",
    "PMI_RANK=5 PMI_SIZE=5, rank is 5; allowed: 0 to 4; PMI_RANK=5",
    "PMI_RANK=0 PMI_SIZE=0, size is 0; allowed: 1 to 1024; PMI_RANK=0",
    "PMI_RANK=x PMI_SIZE=5, PMI_RANK is x",
    "PMI_RANK=2 PMI_SIZE=5, 'PMI_SIZE is set, and nothing names the job: set BUSBAR_JOB'",
  })
  void whatCannotBeIsNamed(String text, String message) {
    assertThatThrownBy(() -> NodeConfig.of(environment(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void clusterThatIsAskedForCountsMore() {
    NodeConfig config = NodeConfig.of(environment("BUSBAR_CLUSTER=trade RANK=2 WORLD_SIZE=5"));
    assertThat(config.cluster()).isEqualTo("trade");
    assertThat(Objects.requireNonNull(config.discovery()).expected()).isOne();
  }

  @Test
  void seedsOfTheEnvironmentAreUsed() {
    NodeConfig config =
        NodeConfig.of(
            environment("PMI_RANK=2 PMI_SIZE=5 BUSBAR_JOB=mine BUSBAR_SEEDS=10.0.0.1,10.0.0.2"));
    assertThat(Objects.requireNonNull(config.discovery()).seeds())
        .containsExactly("10.0.0.1", "10.0.0.2");
  }
}
