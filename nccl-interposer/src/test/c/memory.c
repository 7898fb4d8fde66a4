/* Memory of ncclMemAlloc, registered by all ranks together and alone. */
#include "ranks.h"
#include "scenarios.h"

enum { RANKS = 2, COUNT = 3000 };

static int sum(int rank, long k) {
    (void)rank;
    return given(0, k) + given(1, k);
}

void run_memory(void) {
    one_rank all[MOST_RANKS];
    ncclWindow_t inputs[RANKS], outputs[RANKS];
    void *handle;
    open_ranks(all, RANKS, COUNT);
    for (int r = 0; r < RANKS; r++) {
        use_device(r);
        OK(ncclMemAlloc(&all[r].input, COUNT * 8));
        OK(ncclMemAlloc(&all[r].output, COUNT * 8));
        OK(ncclCommRegister(all[r].comm, all[r].input, COUNT * 8, &handle));
        OK(ncclCommDeregister(all[r].comm, handle));
    }
    for (int turn = 0; turn < 2; turn++) { /* plain memory, and windows */
        fill(all, RANKS, COUNT, ncclFloat32);
        OK(ncclGroupStart());
        for (int r = 0; r < RANKS; r++) {
            use_device(r);
            OK(ncclAllReduce(all[r].input, all[r].output, COUNT, ncclFloat32, ncclSum, all[r].comm, all[r].stream));
        }
        OK(ncclGroupEnd());
        for (int r = 0; r < RANKS; r++) {
            use_device(r);
            check_output(&all[r], COUNT, ncclFloat32, sum, "allreduce of memory of ncclMemAlloc");
        }
        if (turn == 0) {
            OK(ncclGroupStart());
            for (int r = 0; r < RANKS; r++) {
                use_device(r);
                OK(ncclCommWindowRegister(all[r].comm, all[r].input, COUNT * 8, &inputs[r], 1));
                OK(ncclCommWindowRegister(all[r].comm, all[r].output, COUNT * 8, &outputs[r], 1));
            }
            OK(ncclGroupEnd());
        }
    }
    for (int r = 0; r < RANKS; r++) {
        OK(ncclCommWindowDeregister(all[r].comm, inputs[r]));
        OK(ncclCommWindowDeregister(all[r].comm, outputs[r]));
    }
    use_device(RANKS - 1); /* programs need not make the GPU of memory current to copy or to free it */
    for (int r = 0; r < RANKS; r++) {
        copy(all[r].output, all[r].input, COUNT * 4, all[r].stream);
        check_output(&all[r], COUNT, ncclFloat32, given, "a copy of memory of ncclMemAlloc");
    }
    close_ranks(all, RANKS);
    for (int r = 0; r < RANKS; r++) {
        REFUSED(ncclMemFree((char *)all[r].input + 8), ncclInvalidArgument, "not the begin");
        OK(ncclMemFree(all[r].input));
        OK(ncclMemFree(all[r].output));
        REFUSED(ncclMemFree(all[r].input), ncclInvalidArgument, "not the begin");
    }
}
