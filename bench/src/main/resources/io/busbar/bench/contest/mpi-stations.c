/*
 * Both ends of an MPI contender: rank 0 asks, rank 1 answers. Rank 0 hears the commands for both on
 * standard input, one a line, as two stations would, and answers for both. Between two runs rank 1
 * looks for its next command now and then, so that nothing spins.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { WINDOW = 64, LINE_BYTES = 256, COMMAND_TAG = 1, ANSWER_TAG = 2, DATA_TAG = 3 };

static const long LOOK_NS = 1000000;

static char *out;
static char *in;
static long space;
static long *round_trips;
static long round_trips_space;

static long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static long cpu_ns(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000L +
         (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000L;
}

static void *room(void *old, size_t bytes) {
  void *memory = realloc(old, bytes);
  if (memory == NULL) {
    fprintf(stderr, "Error: no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}

/* A window of messages, each in a place of its own. */
static void make_space(long bytes) {
  if (space < bytes * WINDOW) {
    space = bytes * WINDOW;
    out = room(out, space);
    in = room(in, space);
    memset(out, 1, space);
    memset(in, 1, space);
  }
}

static void ask(int bytes, int count) {
  if (round_trips_space < count) {
    round_trips_space = count;
    round_trips = room(round_trips, count * sizeof *round_trips);
  }
  for (int i = 0; i < count; i++) {
    long start = now_ns();
    MPI_Send(out, bytes, MPI_BYTE, 1, DATA_TAG, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_BYTE, 1, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    round_trips[i] = now_ns() - start;
  }
}

static void answer(int bytes, int count) {
  for (int i = 0; i < count; i++) {
    MPI_Recv(in, bytes, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, bytes, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD);
  }
}

static void flood(int bytes, int count) {
  MPI_Request requests[WINDOW];
  for (int sent = 0; sent < count;) {
    int n = 0;
    for (; n < WINDOW && sent < count; n++, sent++) {
      MPI_Isend(out + (long)n * bytes, bytes, MPI_BYTE, 1, DATA_TAG, MPI_COMM_WORLD, &requests[n]);
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Recv(in, 1, MPI_BYTE, 1, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sink(int bytes, int count) {
  MPI_Request requests[WINDOW];
  for (int taken = 0; taken < count;) {
    int n = 0;
    for (; n < WINDOW && taken < count; n++, taken++) {
      MPI_Irecv(in + (long)n * bytes, bytes, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD, &requests[n]);
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Send(out, 1, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD);
}

static int ascending(const void *a, const void *b) {
  long x = *(const long *)a;
  long y = *(const long *)b;
  return (x > y) - (x < y);
}

/* Does one run, and writes what an end has to say of it. */
static void work(const char *line, char *said) {
  char command[16];
  int bytes;
  int count;
  if (sscanf(line, "%15s %d %d", command, &bytes, &count) != 3 || bytes < 1 || count < 1) {
    fprintf(stderr, "Error: no such command: %s\n", line);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  make_space(bytes);
  long cpu = cpu_ns();
  long start = now_ns();
  int asks = strcmp(command, "ask") == 0;
  if (asks) {
    ask(bytes, count);
  } else if (strcmp(command, "answer") == 0) {
    answer(bytes, count);
  } else if (strcmp(command, "flood") == 0) {
    flood(bytes, count);
  } else if (strcmp(command, "sink") == 0) {
    sink(bytes, count);
  } else {
    fprintf(stderr, "Error: MPI does not do that: %s\n", line);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int length = snprintf(said, LINE_BYTES, "took %ld allocated 0 cpu %ld compiled 0",
                        now_ns() - start, cpu_ns() - cpu);
  if (asks) {
    qsort(round_trips, count, sizeof *round_trips, ascending);
    snprintf(said + length, LINE_BYTES - length, " p50 %ld p99 %ld p999 %ld",
             round_trips[(long)(count * 0.5)], round_trips[(long)(count * 0.99)],
             round_trips[(long)(count * 0.999)]);
  }
}

static void say(const char *line) {
  printf("%s\n", line);
  fflush(stdout);
}

static void say_twice(const char *line) {
  say(line);
  say(line);
}

static void tell_other(const char *line) {
  MPI_Send(line, (int)strlen(line) + 1, MPI_CHAR, 1, COMMAND_TAG, MPI_COMM_WORLD);
}

/* A command for the answering end comes before the one for the asking end. */
static void lead(void) {
  char line[LINE_BYTES];
  char said[LINE_BYTES];
  char answered[LINE_BYTES];
  int settled = 0;
  say_twice("opened mpi");
  while (fgets(line, sizeof line, stdin) != NULL && strncmp(line, "end", 3) != 0) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "connect", 7) == 0) {
      say("connected");
    } else if (strcmp(line, "settle") == 0) {
      say("settled");
    } else if (strcmp(line, "count") == 0) {
      say("counted 1");
    } else if (strncmp(line, "answer", 6) == 0 || strncmp(line, "sink", 4) == 0) {
      tell_other(line);
      settled = 1;
    } else if (settled) {
      settled = 0;
      work(line, said);
      MPI_Recv(answered, LINE_BYTES, MPI_CHAR, 1, ANSWER_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      say(said);
      say(answered);
    } else {
      fprintf(stderr, "Error: nobody was told to answer: %s\n", line);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  tell_other("end");
}

static void follow(void) {
  char line[LINE_BYTES];
  char said[LINE_BYTES];
  const struct timespec look = {0, LOOK_NS};
  for (;;) {
    int come = 0;
    for (;;) {
      MPI_Iprobe(0, COMMAND_TAG, MPI_COMM_WORLD, &come, MPI_STATUS_IGNORE);
      if (come) {
        break;
      }
      nanosleep(&look, NULL);
    }
    MPI_Recv(line, LINE_BYTES, MPI_CHAR, 0, COMMAND_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(line, "end") == 0) {
      return;
    }
    work(line, said);
    MPI_Send(said, (int)strlen(said) + 1, MPI_CHAR, 0, ANSWER_TAG, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int rank;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) {
    fprintf(stderr, "Error: wanted two ranks, and there are %d\n", size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank == 0) {
    lead();
  } else {
    follow();
  }
  MPI_Finalize();
  return 0;
}
