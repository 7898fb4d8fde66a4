/* All types with all reductions, factors of each rank, and calls in place. */
#include "ranks.h"
#include "scenarios.h"

enum { RANKS = 2, COUNT = 77 };

static int reduction;

static int reduced(int rank, long k) {
    (void)rank;
    int a = given(0, k), b = given(1, k);
    switch (reduction) {
        case ncclProd:
            return a * b;
        case ncclMax:
            return a > b ? a : b;
        case ncclMin:
            return a < b ? a : b;
        case ncclAvg:
            return (a + b) / 2;
        default:
            return a + b;
    }
}

static void all_reduce(one_rank *all, int type, const ncclRedOp_t *ops, expected *number, const char *what) {
    fill(all, RANKS, COUNT, type);
    OK(ncclGroupStart());
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        OK(ncclAllReduce(all[r].input, all[r].output, COUNT, type, ops[r], all[r].comm, all[r].stream));
    }
    OK(ncclGroupEnd());
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        check_output(&all[r], COUNT, type, number, what);
    }
}

/* Rank 0 doubles, rank 1 does not. */
static int multiplied(int rank, long k) {
    (void)rank;
    return 2 * given(0, k) + given(1, k);
}

static void premultiplied(one_rank *all, int type, int residence) {
    ncclRedOp_t ops[RANKS];
    void *places[RANKS];
    for (int r = 0; r < RANKS; r++) {
        uint64_t factor = 0;
        put(&factor, 0, type, 2 - r);
        use_device(r);
        places[r] = device_memory(8);
        upload(places[r], &factor, 8, all[r].stream);
        OK(ncclRedOpCreatePreMulSum(&ops[r], residence == 1 ? &factor : places[r], type, residence, all[r].comm));
    }
    all_reduce(all, type, ops, multiplied, "premultiplied sum");
    for (int r = 0; r < RANKS; r++) {
        OK(ncclRedOpDestroy(ops[r], all[r].comm));
        REFUSED(ncclRedOpDestroy(ops[r], all[r].comm), ncclInvalidArgument, "reduction");
    }
}

static void in_place(one_rank *all) {
    fill(all, RANKS, COUNT, ncclInt32);
    OK(ncclGroupStart());
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        OK(ncclAllReduce(all[r].input, all[r].input, COUNT, ncclInt32, ncclSum, all[r].comm, all[r].stream));
    }
    OK(ncclGroupEnd());
    reduction = ncclSum;
    for (int r = 0; r < RANKS; r++) {
        one_rank view = all[r];
        use_device(r);
        view.output = all[r].input;
        check_output(&view, COUNT, ncclInt32, reduced, "allreduce in place");
    }
}

/* All types, or only some, since each type and reduction is a kernel that is compiled. */
void run_types(bool every) {
    one_rank all[MOST_RANKS];
    open_ranks(all, RANKS, COUNT);
    for (int type = 0; type < TYPES; type++) {
        int last = every || type == ncclInt32                       ? ncclAvg
                   : type == ncclBfloat16 || type == ncclFloat8e5m2 ? ncclSum
                                                                    : ncclSum - 1;
        for (reduction = ncclSum; reduction <= last; reduction++) {
            const ncclRedOp_t ops[RANKS] = {reduction, reduction};
            all_reduce(all, type, ops, reduced, "allreduce");
        }
    }
    static const int scaled[] = {ncclFloat32, ncclFloat16, ncclInt32, ncclBfloat16, ncclFloat64};
    for (size_t i = 0; i < (every ? sizeof scaled / sizeof *scaled : 1); i++) {
        premultiplied(all, scaled[i], 1);
        premultiplied(all, scaled[i], 0);
    }
    in_place(all);
    close_ranks(all, RANKS);
}
