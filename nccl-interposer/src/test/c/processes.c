/* Ranks that are processes. */
#include "ranks.h"
#include "scenarios.h"

#include <signal.h>
#include <time.h>

enum { COUNT = 1000 };

static int size;

static int sum(int rank, long k) {
    (void)rank;
    return sum_of_given(size, k);
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
    OK(ncclAllReduce(own.input, own.input, COUNT, ncclFloat32, ncclSum, own.comm, own.stream));
    synchronize(own.stream);
    own.output = own.input;
    check_output(&own, COUNT, ncclFloat32, sum, "allreduce of processes in place");
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

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Rank 1 is killed, and has written when; within two seconds rank 0 gets a code and a text that names it. */
void run_loss(int rank, const char *file) {
    char killed[4096];
    snprintf(killed, sizeof killed, "%s.killed", file);
    one_rank own = open_process(rank, 2, file);
    OK(add(&own));
    synchronize(own.stream);
    if (rank == 1) {
        FILE *out = fopen(killed, "w");
        HOLDS(out != NULL && fprintf(out, "%f", seconds()) > 0 && fclose(out) == 0);
        raise(SIGKILL);
    }
    ncclResult_t state = ncclSuccess;
    for (int i = 0; i < 20000 && state == ncclSuccess; i++) {
        usleep(1000);
        OK(ncclCommGetAsyncError(own.comm, &state));
    }
    double noticed = seconds(), when = 0;
    FILE *in = fopen(killed, "r");
    HOLDS(in != NULL && fscanf(in, "%lf", &when) == 1 && fclose(in) == 0);
    HOLDS(noticed - when < 2);
    HOLDS(state == ncclRemoteError);
    REFUSED(add(&own), ncclRemoteError, "rank 1");
    OK(ncclCommAbort(own.comm));
}

static void add_some(one_rank *own, long count) {
    OK(ncclAllReduce(own->input, own->output, (size_t)count, ncclFloat32, ncclSum, own->comm, own->stream));
}

static void make_file(const char *name) {
    FILE *out = fopen(name, "w");
    HOLDS(out != NULL && fclose(out) == 0);
}

static void await_file(const char *name) {
    while (access(name, F_OK) != 0) {
        usleep(10000);
    }
}

/* Rank 0 enqueues 250 calls before rank 1 makes the first of them, and so on: once a class of sizes is set up, ranks wait
 * on the GPU alone. At most 512 launches are in flight. */
void run_counts(int rank, const char *file) {
    one_rank own = open_process(rank, 2, file);
    add_some(&own, 1);
    add_some(&own, COUNT);
    synchronize(own.stream);
    for (long first = 1; first <= COUNT; first += COUNT / 4) {
        char enqueued[4096];
        snprintf(enqueued, sizeof enqueued, "%s.enqueued.%ld", file, first);
        if (rank == 1) {
            await_file(enqueued);
        }
        for (long count = first; count < first + COUNT / 4; count++) {
            add_some(&own, count);
        }
        if (rank == 0) {
            make_file(enqueued);
        }
        synchronize(own.stream);
    }
    check_output(&own, COUNT, ncclFloat32, sum, "the last of many counts");
    OK(ncclCommDestroy(own.comm));
}

/* Two communicators that have been used, whose ranks call them in opposite orders. */
void run_crossed(int rank, const char *file) {
    char second[4096];
    snprintf(second, sizeof second, "%s.second", file);
    one_rank all[2] = {open_process(rank, 2, file), open_process(rank, 2, second)};
    for (int i = 0; i < 2; i++) {
        OK(add(&all[i]));
        synchronize(all[i].stream);
    }
    for (int turn = 0; turn < 20; turn++) {
        OK(add(&all[rank]));
        OK(add(&all[1 - rank]));
    }
    for (int i = 0; i < 2; i++) {
        synchronize(all[i].stream);
        check_output(&all[i], COUNT, ncclFloat32, sum, "crossed calls");
        OK(ncclCommDestroy(all[i].comm));
    }
}
