/*
 * MPI_Bcast from rank 0 to all. Rank 0 hears commands on standard input, one a line:
 * "send COUNT BYTES", and answers "took NS user NS system NS". Between two runs the others look
 * for their next command now and then, so that nothing spins.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { LINE_BYTES = 256, COMMAND_TAG = 1 };

static long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void cpu_ns(long *user, long *system) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  *user = used.ru_utime.tv_sec * 1000000000L + used.ru_utime.tv_usec * 1000L;
  *system = used.ru_stime.tv_sec * 1000000000L + used.ru_stime.tv_usec * 1000L;
}

static void run(const long *command, char *bytes) {
  for (long i = 0; i < command[0]; i++) {
    MPI_Bcast(bytes, (int) command[1], MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char *bytes = calloc(1, 1 << 20);
  long command[2] = {0, 0};
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    char line[LINE_BYTES];
    printf("opened\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL
        && sscanf(line, "send %ld %ld", &command[0], &command[1]) == 2) {
      for (int other = 1; other < size; other++) {
        MPI_Send(command, 2, MPI_LONG, other, COMMAND_TAG, MPI_COMM_WORLD);
      }
      MPI_Barrier(MPI_COMM_WORLD);
      long user, system, user_after, system_after;
      cpu_ns(&user, &system);
      long start = now_ns();
      run(command, bytes);
      long took = now_ns() - start;
      cpu_ns(&user_after, &system_after);
      printf("took %ld user %ld system %ld\n", took, user_after - user, system_after - system);
      fflush(stdout);
    }
    command[0] = -1;
    for (int other = 1; other < size; other++) {
      MPI_Send(command, 2, MPI_LONG, other, COMMAND_TAG, MPI_COMM_WORLD);
    }
  } else {
    while (1) {
      int there = 0;
      struct timespec look = {0, 1000000};
      MPI_Iprobe(0, COMMAND_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
      if (!there) {
        nanosleep(&look, NULL);
        continue;
      }
      MPI_Recv(command, 2, MPI_LONG, 0, COMMAND_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (command[0] < 0) {
        break;
      }
      MPI_Barrier(MPI_COMM_WORLD);
      run(command, bytes);
    }
  }
  MPI_Finalize();
  return 0;
}
