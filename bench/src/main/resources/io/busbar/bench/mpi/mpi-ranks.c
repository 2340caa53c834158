/*
 * The exercises of ranks, as Busbar's ranks do them in Java. Rank 0 hears tasks on standard input,
 * one a line: "WHAT RANKS BYTES COUNT", and answers "took NS". The first RANKS ranks do it; between
 * two tasks ranks look for the next one now and then, so that nothing spins.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE_BYTES = 256, BYTES_MAX = 1 << 20, RANKS_MAX = 64, TASK_TAG = 1, DATA_TAG = 2 };

typedef struct {
  char what[16];
  int ranks;
  int bytes;
  int count;
} task_t;

static MPI_Comm first[RANKS_MAX + 1];
static int rank;
static double *mine;
static double *sums;

static long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void fail(const char *why) {
  fprintf(stderr, "Error: rank %d: %s\n", rank, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void allreduce(const task_t *task, MPI_Comm comm) {
  int length = (task->bytes + 7) / 8;
  double right = task->ranks * (task->ranks + 1) / 2.0;
  for (int i = 0; i < task->count; i++) {
    MPI_Allreduce(mine, sums, length, MPI_DOUBLE, MPI_SUM, comm);
  }
  if (sums[0] != right || sums[length - 1] != right) {
    fail("a wrong sum");
  }
}

static void bcast(const task_t *task, MPI_Comm comm) {
  int length = (task->bytes + 3) / 4;
  int *numbers = (int *) sums;
  for (int i = 0; i < task->count; i++) {
    int root = i % task->ranks;
    if (rank == root) {
      numbers[0] = i;
      numbers[length - 1] = i;
    }
    MPI_Bcast(numbers, length, MPI_INT, root, comm);
    if (numbers[0] != i || numbers[length - 1] != i) {
      fail("a wrong number");
    }
  }
  MPI_Barrier(comm);
}

static void cast(const task_t *task, MPI_Comm comm) {
  char *bytes = (char *) sums;
  for (int i = 0; i < task->count; i++) {
    if (rank == 0) {
      bytes[0] = (char) i;
    }
    MPI_Bcast(bytes, task->bytes, MPI_BYTE, 0, comm);
    if (bytes[0] != (char) i) {
      fail("a wrong byte");
    }
  }
  MPI_Barrier(comm);
}

static void stream(const task_t *task, MPI_Comm comm) {
  if (rank == 0) {
    for (int i = 0; i < task->count; i++) {
      MPI_Send(mine, task->bytes, MPI_BYTE, 1, DATA_TAG, comm);
    }
    MPI_Recv(sums, 1, MPI_BYTE, 1, DATA_TAG, comm, MPI_STATUS_IGNORE);
  } else {
    for (int i = 0; i < task->count; i++) {
      MPI_Recv(sums, task->bytes, MPI_BYTE, 0, DATA_TAG, comm, MPI_STATUS_IGNORE);
    }
    MPI_Send(mine, 1, MPI_BYTE, 0, DATA_TAG, comm);
  }
}

/* Returns how long it took from when all were ready. */
static long run(const task_t *task) {
  MPI_Comm comm = first[task->ranks];
  for (int i = 0; i < (task->bytes + 7) / 8; i++) {
    mine[i] = rank + 1;
    sums[i] = 0;
  }
  MPI_Barrier(comm);
  long start = now_ns();
  if (strcmp(task->what, "allreduce") == 0) {
    allreduce(task, comm);
  } else if (strcmp(task->what, "bcast") == 0) {
    bcast(task, comm);
  } else if (strcmp(task->what, "cast") == 0) {
    cast(task, comm);
  } else if (strcmp(task->what, "stream") == 0) {
    stream(task, comm);
  } else {
    fail("no such task");
  }
  return now_ns() - start;
}

static void tell(const task_t *task, int ranks) {
  for (int other = 1; other < ranks; other++) {
    MPI_Send(task, sizeof *task, MPI_BYTE, other, TASK_TAG, MPI_COMM_WORLD);
  }
}

static void lead(int size) {
  char line[LINE_BYTES];
  task_t task = {"", 0, 0, 0};
  printf("opened\n");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL && strncmp(line, "end", 3) != 0) {
    if (sscanf(line, "%15s %d %d %d", task.what, &task.ranks, &task.bytes, &task.count) != 4
        || task.ranks < 2 || task.ranks > size || task.bytes < 1 || task.bytes > BYTES_MAX) {
      fail("not WHAT RANKS BYTES COUNT");
    }
    tell(&task, task.ranks);
    printf("took %ld\n", run(&task));
    fflush(stdout);
  }
  task.ranks = 0;
  tell(&task, size);
}

static void follow(void) {
  const struct timespec look = {0, 1000000};
  for (;;) {
    task_t task;
    int there = 0;
    MPI_Iprobe(0, TASK_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (!there) {
      nanosleep(&look, NULL);
      continue;
    }
    MPI_Recv(&task, sizeof task, MPI_BYTE, 0, TASK_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (task.ranks == 0) {
      return;
    }
    run(&task);
  }
}

int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  mine = calloc(1, BYTES_MAX);
  sums = calloc(1, BYTES_MAX);
  if (size > RANKS_MAX || mine == NULL || sums == NULL) {
    fail("no room for so many");
  }
  for (int ranks = 2; ranks <= size; ranks++) {
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &first[ranks]);
  }
  if (rank == 0) {
    lead(size);
  } else {
    follow();
  }
  MPI_Finalize();
  return 0;
}
