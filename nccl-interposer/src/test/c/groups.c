/* Groups: nested, of several communicators, of several streams, and of streams that end right after the call. */
#include "ranks.h"
#include "scenarios.h"

enum { RANKS = 2, COUNT = 500 };

static int sum(int rank, long k) {
    (void)rank;
    return given(0, k) + given(1, k);
}

static int other(int rank, long k) {
    return given(1 - rank, k);
}

static void add_all(one_rank *all) {
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        OK(ncclAllReduce(all[r].input, all[r].output, COUNT, ncclInt32, ncclSum, all[r].comm, all[r].stream));
    }
}

static void check_all(one_rank *all, expected *number, const char *what) {
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        check_output(&all[r], COUNT, ncclInt32, number, what);
    }
}

/* Two communicators of the same GPUs, in one group inside a group. */
static void nested(one_rank *one, one_rank *two) {
    fill(one, RANKS, COUNT, ncclInt32);
    fill(two, RANKS, COUNT, ncclInt32);
    OK(ncclGroupStart());
    add_all(one);
    OK(ncclGroupStart());
    add_all(two);
    OK(ncclGroupEnd());
    OK(ncclGroupEnd());
    check_all(one, sum, "the outer group");
    check_all(two, sum, "the inner group");
}

/* The send is on one stream, and the receive on another. */
static void two_streams(one_rank *all) {
    void *others[RANKS];
    fill(all, RANKS, COUNT, ncclInt32);
    OK(ncclGroupStart());
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        others[r] = new_stream();
        OK(ncclSend(all[r].input, COUNT, ncclInt32, 1 - r, all[r].comm, others[r]));
        OK(ncclRecv(all[r].output, COUNT, ncclInt32, 1 - r, all[r].comm, all[r].stream));
    }
    OK(ncclGroupEnd());
    check_all(all, other, "messages on two streams");
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        synchronize(others[r]);
        destroy_stream(others[r]);
    }
}

static void swap_in_place(one_rank *all) {
    OK(ncclGroupStart());
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        OK(ncclSend(all[r].input, COUNT, ncclInt32, 1 - r, all[r].comm, all[r].stream));
        OK(ncclRecv(all[r].input, COUNT, ncclInt32, 1 - r, all[r].comm, all[r].stream));
    }
    OK(ncclGroupEnd());
}

static void check_swapped(one_rank *all, const char *what) {
    for (int r = 0; r < RANKS; r++) {
        one_rank view = all[r];
        use_device(r);
        view.output = all[r].input;
        check_output(&view, COUNT, ncclInt32, other, what);
    }
}

/* Each rank sends what it overwrites. NCCL does not define what arrives; here it is what was sent. */
static void messages_in_place(one_rank *all) {
    fill(all, RANKS, COUNT, ncclInt32);
    swap_in_place(all);
    check_swapped(all, "messages in place");
}

/* The same in graphs, which outlive the communicators. */
static void captured_in_place(one_rank *all) {
    void *graphs[RANKS];
    fill(all, RANKS, COUNT, ncclInt32);
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        begin_capture(all[r].stream, 2);
    }
    swap_in_place(all);
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        graphs[r] = end_capture(all[r].stream);
    }
    for (int turn = 0; turn < 3; turn++) {
        for (int r = 0; r < RANKS; r++) {
            use_device(r);
            launch(graphs[r], all[r].stream);
        }
    }
    check_swapped(all, "captured messages in place, three times");
}

/* One thread ends one rank after the other, and no rank waits for the next. */
static void joined_by_id(void) {
    one_rank all[RANKS];
    join_ranks(all, RANKS, COUNT);
    two_streams(all);
    messages_in_place(all);
    captured_in_place(all);
    close_ranks(all, RANKS);
}

/* Programs may destroy a stream when a call has returned. */
static void short_streams(one_rank *all) {
    fill(all, RANKS, COUNT, ncclInt32);
    for (int i = 0; i < 20; i++) {
        void *streams[RANKS];
        OK(ncclGroupStart());
        for (int r = 0; r < RANKS; r++) {
            use_device(r);
            streams[r] = new_stream();
            OK(ncclAllReduce(all[r].input, all[r].output, COUNT, ncclInt32, ncclSum, all[r].comm, streams[r]));
        }
        OK(ncclGroupEnd());
        for (int r = 0; r < RANKS; r++) {
            use_device(r);
            destroy_stream(streams[r]);
        }
    }
    OK(ncclGroupStart());
    add_all(all);
    OK(ncclGroupEnd());
    check_all(all, sum, "behind streams that have ended");
}

/* A refused call ends the group, and leaves nothing for the next. */
static void refused_group(one_rank *all) {
    OK(ncclGroupStart());
    REFUSED(ncclAllReduce(all[0].input, all[0].output, 1, 99, ncclSum, all[0].comm, all[0].stream),
        ncclInvalidArgument, "data type 99");
    REFUSED(ncclGroupEnd(), ncclInvalidArgument, "data type 99");
    REFUSED(ncclGroupEnd(), ncclInvalidUsage, "without ncclGroupStart");
    nested(all, all + RANKS);
}

void run_groups(void) {
    one_rank all[2 * RANKS];
    open_ranks(all, RANKS, COUNT);
    open_ranks(all + RANKS, RANKS, COUNT);
    nested(all, all + RANKS);
    two_streams(all);
    short_streams(all);
    refused_group(all);
    joined_by_id();
    close_ranks(all, RANKS);
    close_ranks(all + RANKS, RANKS);
}
