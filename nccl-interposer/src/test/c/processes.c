/* Ranks that are processes. */
#include "ranks.h"
#include "scenarios.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

enum { COUNT = 1000 };

static int size;

static int sum(int rank, long k) {
    (void)rank;
    int all = 0;
    for (int r = 0; r < size; r++) {
        all += given(r, k);
    }
    return all;
}

static one_rank open_process(int rank, int ranks, const char *file) {
    one_rank own = {.rank = rank};
    void *host = malloc(COUNT * 4);
    size = ranks;
    use_device(rank);
    own.stream = new_stream();
    own.input = device_memory(COUNT * 4);
    own.output = device_memory(COUNT * 4);
    for (long k = 0; k < COUNT; k++) {
        put(host, k, ncclFloat32, given(rank, k));
    }
    upload(own.input, host, COUNT * 4, own.stream);
    free(host);
    OK(ncclCommInitRank(&own.comm, ranks, shared_id(file, rank), rank));
    return own;
}

static int add(one_rank *own) {
    return ncclAllReduce(own->input, own->output, COUNT, ncclFloat32, ncclSum, own->comm, own->stream);
}

void run_rank(int rank, int ranks, const char *file) {
    one_rank own = open_process(rank, ranks, file);
    for (int i = 0; i < 50; i++) {
        OK(add(&own));
    }
    synchronize(own.stream);
    check_output(&own, COUNT, ncclFloat32, sum, "allreduce of processes");
    OK(ncclCommDestroy(own.comm));
}

/* A capture by the program's own stream, with or without calls before it; an eager call is between the replays. */
void run_capture(int rank, const char *file, int mode, int warm) {
    one_rank own = open_process(rank, 2, file);
    if (warm) {
        OK(add(&own));
        synchronize(own.stream);
    }
    begin_capture(own.stream, mode);
    OK(add(&own));
    void *graph = end_capture(own.stream);
    void *zeros = calloc(COUNT, 4);
    for (int replay = 0; replay < 4; replay++) {
        upload(own.output, zeros, COUNT * 4, own.stream);
        launch(graph, own.stream);
        synchronize(own.stream);
        check_output(&own, COUNT, ncclFloat32, sum, "a replay");
        if (replay == 1) {
            OK(add(&own));
            synchronize(own.stream);
        }
    }
    OK(ncclCommDestroy(own.comm));
}

/* Rank 1 is killed; rank 0 gets a code and a text that names it. */
void run_loss(int rank, const char *file) {
    one_rank own = open_process(rank, 2, file);
    OK(add(&own));
    synchronize(own.stream);
    if (rank == 1) {
        raise(SIGKILL);
    }
    int state = ncclSuccess;
    for (int i = 0; i < 20000 && state == ncclSuccess; i++) {
        usleep(1000);
        OK(ncclCommGetAsyncError(own.comm, &state));
    }
    HOLDS(state == ncclRemoteError);
    REFUSED(add(&own), ncclRemoteError, "rank 1");
    OK(ncclCommAbort(own.comm));
}

static void *abort_later(void *comm) {
    usleep(300000);
    OK(ncclCommAbort(comm));
    return NULL;
}

/* Rank 0 of two waits for rank 1, which does not call, until another thread aborts. */
void run_abort(void) {
    one_rank all[MOST_RANKS];
    pthread_t thread;
    open_ranks(all, 2, COUNT);
    fill(all, 2, COUNT, ncclFloat32);
    size = 2;
    use_device(0);
    HOLDS(pthread_create(&thread, NULL, abort_later, all[0].comm) == 0);
    int outcome = add(&all[0]); /* waits for the other rank, since it is the first of its class */
    HOLDS(outcome == ncclRemoteError || outcome == ncclSuccess);
    pthread_join(thread, NULL);
    REFUSED(add(&all[0]), ncclInvalidUsage, "aborted");
    int state;
    use_device(1);
    OK(ncclCommGetAsyncError(all[1].comm, &state));
    HOLDS(state == ncclRemoteError);
    OK(ncclCommAbort(all[1].comm));
}

static void handler(int signal) {
    (void)signal;
}

/* A child of fork gets a code, and may end as it likes; the program's handlers are its own. */
void run_fork(void) {
    struct sigaction own = {.sa_handler = handler}, seen;
    sigaction(SIGUSR2, &own, NULL);
    sigaction(SIGSEGV, &own, NULL);
    one_rank all[MOST_RANKS];
    open_ranks(all, 1, COUNT);
    sigaction(SIGUSR2, NULL, &seen);
    HOLDS(seen.sa_handler == handler);
    pid_t child = fork();
    if (child == 0) {
        ncclUniqueId id;
        sigaction(SIGSEGV, NULL, &seen);
        bool right = ncclGetUniqueId(&id) == ncclSystemError && strstr(ncclGetLastError(NULL), "forked") != NULL
                && seen.sa_handler == handler;
        _exit(right ? 0 : 1);
    }
    int status;
    HOLDS(waitpid(child, &status, 0) == child && status == 0);
    child = fork();
    if (child == 0) {
        raise(SIGBUS); /* which the VM would handle */
        _exit(0);
    }
    HOLDS(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
    close_ranks(all, 1);
}
