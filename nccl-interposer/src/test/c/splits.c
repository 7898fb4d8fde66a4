/* Communicators from communicators. */
#include "ranks.h"
#include "scenarios.h"

enum { RANKS = 4, COUNT = 100 };

static int colour_of(int rank) {
    return rank == 3 ? -1 : rank % 2;
}

/* Ranks 2 and 0, in this order, are one child; rank 1 is another one. */
static int sum_of_even(int rank, long k) {
    (void)rank;
    return given(0, k) + given(2, k);
}

void run_splits(void) {
    one_rank all[MOST_RANKS];
    ncclComm_t children[RANKS];
    open_ranks(all, RANKS, COUNT);
    OK(ncclGroupStart());
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        OK(ncclCommSplit(all[r].comm, colour_of(r), -r, &children[r], NULL));
    }
    OK(ncclGroupEnd());
    HOLDS(children[3] == NULL);
    int value;
    OK(ncclCommCount(children[1], &value));
    HOLDS(value == 1);
    OK(ncclCommUserRank(children[2], &value));
    HOLDS(value == 0);
    fill(all, RANKS, COUNT, ncclFloat32);
    OK(ncclGroupStart());
    for (int r = 0; r < RANKS; r += 2) {
        use_device(r);
        OK(ncclAllReduce(all[r].input, all[r].output, COUNT, ncclFloat32, ncclSum, children[r], all[r].stream));
    }
    OK(ncclGroupEnd());
    for (int r = 0; r < RANKS; r += 2) {
        use_device(r);
        check_output(&all[r], COUNT, ncclFloat32, sum_of_even, "allreduce of a child");
    }
    for (int r = 0; r < 3; r++) {
        OK(ncclCommDestroy(children[r]));
    }
    int excluded[] = {1};
    OK(ncclGroupStart());
    for (int r = 0; r < RANKS; r++) {
        if (r != 1) {
            use_device(r);
            OK(ncclCommShrink(all[r].comm, excluded, 1, &children[r], NULL, 0));
        }
    }
    OK(ncclGroupEnd());
    OK(ncclCommCount(children[3], &value));
    HOLDS(value == 3);
    OK(ncclCommUserRank(children[3], &value));
    HOLDS(value == 2);
    for (int r = 0; r < RANKS; r++) {
        if (r != 1) {
            OK(ncclCommDestroy(children[r]));
        }
    }
    close_ranks(all, RANKS);
}
