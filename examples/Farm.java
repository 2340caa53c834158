import mpi.MPI;
import mpi.Status;

// Rank 0 deals out tasks, one at a time, to whoever is done with the last one:
// ./busbar run -n 4 examples/Farm.java [TASKS]
static final int WORK = 1;
static final int STOP = 2;

void main(String[] args) {
  String[] mine = MPI.Init(args);
  int tasks = mine.length > 0 ? Integer.parseInt(mine[0]) : 100;
  if (MPI.COMM_WORLD.getSize() < 2) {
    throw new IllegalArgumentException("a farm needs a worker: ./busbar run -n 2 examples/Farm.java");
  }
  if (MPI.COMM_WORLD.getRank() == 0) {
    farm(tasks);
  } else {
    work();
  }
  MPI.Finalize();
}

/** Gives every worker a task, then one for each result, then none. */
void farm(int tasks) {
  int workers = MPI.COMM_WORLD.getSize() - 1;
  int given = 0;
  int stopped = 0;
  long sum = 0;
  long[] word = new long[1];
  for (int worker = 1; worker <= workers; worker++) {
    word[0] = given;
    MPI.COMM_WORLD.send(word, 1, MPI.LONG, worker, given++ < tasks ? WORK : STOP);
    stopped += given > tasks ? 1 : 0;
  }
  while (stopped < workers) {
    Status status = MPI.COMM_WORLD.recv(word, 1, MPI.LONG, MPI.ANY_SOURCE, WORK);
    sum += word[0];
    word[0] = given;
    stopped += given < tasks ? 0 : 1;
    MPI.COMM_WORLD.send(word, 1, MPI.LONG, status.getSource(), given++ < tasks ? WORK : STOP);
  }
  IO.println("%d tasks done, the sum of all results is %d".formatted(tasks, sum));
}

void work() {
  long[] word = new long[1];
  Status status = MPI.COMM_WORLD.recv(word, 1, MPI.LONG, 0, MPI.ANY_TAG);
  while (status.getTag() == WORK) {
    word[0] = steps(word[0] + 1);
    MPI.COMM_WORLD.send(word, 1, MPI.LONG, 0, WORK);
    status = MPI.COMM_WORLD.recv(word, 1, MPI.LONG, 0, MPI.ANY_TAG);
  }
}

/** How many steps a number needs to come to 1: halved if even, else three times it and one. */
long steps(long number) {
  long n = number;
  long steps = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    steps++;
  }
  return steps;
}
