/* Ranks that one thread of the program drives. */
#include "ranks.h"

static void make_buffers(one_rank *all, int ranks, long elements) {
    for (int r = 0; r < ranks; r++) {
        use_device(r);
        all[r] = (one_rank){.rank = r,
            .stream = new_stream(),
            .input = device_memory((size_t)elements * 8),
            .output = device_memory((size_t)elements * 8)};
    }
}

static void check_ranks(const one_rank *all, int ranks) {
    for (int r = 0; r < ranks; r++) {
        int value;
        OK(ncclCommUserRank(all[r].comm, &value));
        HOLDS(value == r);
        OK(ncclCommCount(all[r].comm, &value));
        HOLDS(value == ranks);
        OK(ncclCommCuDevice(all[r].comm, &value));
        HOLDS(value == r);
    }
}

void open_ranks(one_rank *all, int ranks, long elements) {
    ncclComm_t comms[MOST_RANKS];
    int devices[MOST_RANKS] = {0};
    make_buffers(all, ranks, elements);
    for (int r = 0; r < ranks; r++) {
        devices[r] = r;
    }
    OK(ncclCommInitAll(comms, ranks, devices));
    for (int r = 0; r < ranks; r++) {
        all[r].comm = comms[r];
    }
    check_ranks(all, ranks);
}

void join_ranks(one_rank *all, int ranks, long elements) {
    ncclUniqueId id;
    OK(ncclGetUniqueId(&id));
    make_buffers(all, ranks, elements);
    OK(ncclGroupStart());
    for (int r = 0; r < ranks; r++) {
        use_device(r);
        OK(ncclCommInitRank(&all[r].comm, ranks, id, r));
    }
    OK(ncclGroupEnd());
    check_ranks(all, ranks);
}

void close_ranks(one_rank *all, int ranks) {
    for (int r = 0; r < ranks; r++) {
        synchronize(all[r].stream);
        OK(ncclCommDestroy(all[r].comm));
    }
}

int given(int rank, long k) {
    return rank % 2 == 0 ? 1 + (int)(k % 2) : 3 - (int)(k % 2);
}

int sum_of_given(int ranks, long k) {
    int all = 0;
    for (int rank = 0; rank < ranks; rank++) {
        all += given(rank, k);
    }
    return all;
}

void fill(one_rank *all, int ranks, long elements, int type) {
    void *host = malloc((size_t)elements * 8);
    for (int r = 0; r < ranks; r++) {
        use_device(r);
        for (long k = 0; k < elements; k++) {
            put(host, k, type, given(r, k));
        }
        upload(all[r].input, host, (size_t)(elements * width(type)), all[r].stream);
        memset(host, 0, (size_t)elements * 8);
        upload(all[r].output, host, (size_t)elements * 8, all[r].stream);
    }
    free(host);
}

void check_output(one_rank *one, long elements, int type, expected *number, const char *what) {
    void *host = calloc((size_t)elements + 1, 8);
    download(host, one->output, (size_t)(elements * width(type)), one->stream);
    for (long k = 0; k < elements; k++) {
        if (!is(host, k, type, number(one->rank, k))) {
            fprintf(stderr, "%s, rank %d, type %d: element %ld is not %d\n", what, one->rank, type, k,
                number(one->rank, k));
            exit(1);
        }
    }
    free(host);
}
