/* All collectives of ranks in one process, against their definitions. */
#include "ranks.h"
#include "scenarios.h"

static int size, root;
static long part;

static int sum(int rank, long k) {
    (void)rank;
    return sum_of_given(size, k);
}

static int of_root(int rank, long k) {
    (void)rank;
    return given(root, k);
}

static int sum_at_root(int rank, long k) {
    return rank == root ? sum(rank, k) : 0;
}

static int gathered(int rank, long k) {
    (void)rank;
    return given((int)(k / part), k % part);
}

static int gathered_at_root(int rank, long k) {
    return rank == root ? gathered(rank, k) : 0;
}

static int own_sum(int rank, long k) {
    return sum(rank, rank * part + k);
}

static int exchanged(int rank, long k) {
    return given((int)(k / part), rank * part + k % part);
}

static int own_part(int rank, long k) {
    return given(root, rank * part + k);
}

typedef int call(one_rank *one);

static int all_reduce(one_rank *o) {
    return ncclAllReduce(o->input, o->output, (size_t)part, ncclFloat32, ncclSum, o->comm, o->stream);
}

static int broadcast(one_rank *o) {
    void *input = o->rank == root ? o->input : NULL;
    return ncclBroadcast(input, o->output, (size_t)part, ncclFloat32, root, o->comm, o->stream);
}

static int reduce(one_rank *o) {
    void *output = o->rank == root ? o->output : NULL;
    return ncclReduce(o->input, output, (size_t)part, ncclFloat32, ncclSum, root, o->comm, o->stream);
}

static int all_gather(one_rank *o) {
    return ncclAllGather(o->input, o->output, (size_t)part, ncclFloat32, o->comm, o->stream);
}

static int reduce_scatter(one_rank *o) {
    return ncclReduceScatter(o->input, o->output, (size_t)part, ncclFloat32, ncclSum, o->comm, o->stream);
}

static int all_to_all(one_rank *o) {
    return ncclAlltoAll(o->input, o->output, (size_t)part, ncclFloat32, o->comm, o->stream);
}

static int gather(one_rank *o) {
    void *output = o->rank == root ? o->output : NULL;
    return ncclGather(o->input, output, (size_t)part, ncclFloat32, root, o->comm, o->stream);
}

static int scatter(one_rank *o) {
    void *input = o->rank == root ? o->input : NULL;
    return ncclScatter(input, o->output, (size_t)part, ncclFloat32, root, o->comm, o->stream);
}

/* To the next rank, from the one before. */
static int ring(one_rank *o) {
    int sent = ncclSend(o->input, (size_t)part, ncclFloat32, (o->rank + 1) % size, o->comm, o->stream);
    int received = ncclRecv(o->output, (size_t)part, ncclFloat32, (o->rank + size - 1) % size, o->comm, o->stream);
    return sent != 0 ? sent : received;
}

static int of_previous(int rank, long k) {
    return given((rank + size - 1) % size, k);
}

static void try(one_rank *all, const char *what, call *make, expected *number, bool every) {
    long places = every ? part * size : part;
    fill(all, size, part * size, ncclFloat32);
    OK(ncclGroupStart());
    for (int r = 0; r < size; r++) {
        use_device(r);
        expect_result(make(&all[r]), ncclSuccess, what, __FILE__, __LINE__);
    }
    OK(ncclGroupEnd());
    for (int r = 0; r < size; r++) {
        use_device(r);
        check_output(&all[r], places, ncclFloat32, number, what);
    }
}

void run_collectives(int ranks) {
    static const long counts[] = {1, 1000, 0, 333, 20001};
    one_rank all[MOST_RANKS];
    size = ranks;
    open_ranks(all, ranks, 20001 * ranks);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        part = counts[i];
        root = (int)i % ranks;
        try(all, "allreduce", all_reduce, sum, false);
        try(all, "broadcast", broadcast, of_root, false);
        try(all, "reduce", reduce, sum_at_root, false);
        try(all, "allgather", all_gather, gathered, true);
        try(all, "reducescatter", reduce_scatter, own_sum, false);
        try(all, "alltoall", all_to_all, exchanged, true);
        try(all, "gather", gather, gathered_at_root, true);
        try(all, "scatter", scatter, own_part, false);
        try(all, "a ring of messages", ring, of_previous, false);
    }
    close_ranks(all, ranks);
}
