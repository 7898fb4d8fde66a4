/*
 * Times one MPI collective as mscclj perf times its own: for each batch all ranks meet, launch without a pause, and the slowest rank's
 * time counts. Rank 0 prints the nanoseconds of each batch, one to a line.
 *
 * usage: mpi_peer COLLECTIVE TYPE OP COUNT ROOT in-place|out-of-place LAUNCHES BATCHES
 *
 * COUNT is in elements of a slice: of the whole buffer, or of one rank's part.
 */
#define _POSIX_C_SOURCE 200112L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double nanos(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

static void fail(const char *what, const char *given)
{
    fprintf(stderr, "mpi_peer: unknown %s %s\n", what, given);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static MPI_Datatype type_of(const char *name)
{
    static const char *const names[] = {"int8",  "uint8", "int16",  "uint16",  "int32",
                                        "uint32", "int64", "uint64", "float32", "float64"};
    const MPI_Datatype types[] = {MPI_INT8_T,   MPI_UINT8_T, MPI_INT16_T,  MPI_UINT16_T, MPI_INT32_T,
                                  MPI_UINT32_T, MPI_INT64_T, MPI_UINT64_T, MPI_FLOAT,    MPI_DOUBLE};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return types[i];
    fail("type", name);
    return MPI_DATATYPE_NULL;
}

static MPI_Op op_of(const char *name)
{
    static const char *const names[] = {"sum", "product", "min", "max", "band", "bor", "bxor", "none"};
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_OP_NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return ops[i];
    fail("operation", name);
    return MPI_OP_NULL;
}

enum collective { ALLREDUCE, ALLGATHER, REDUCESCATTER, BROADCAST, ALLTOALL, REDUCE, SCATTER, GATHER };

static enum collective collective_of(const char *name)
{
    static const char *const names[] = {"allreduce", "allgather", "reducescatter", "broadcast",
                                        "alltoall",  "reduce",    "scatter",       "gather"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return (enum collective)i;
    fail("collective", name);
    return ALLREDUCE;
}

static char *buffer(size_t bytes)
{
    char *memory = malloc(bytes == 0 ? 1 : bytes);
    if (memory == NULL) {
        fprintf(stderr, "mpi_peer: no memory for %zu bytes\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(memory, 0, bytes);
    return memory;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 9) {
        fail("arguments; see the head of its source:", argv[0]);
    }
    enum collective collective = collective_of(argv[1]);
    MPI_Datatype type = type_of(argv[2]);
    MPI_Op op = op_of(argv[3]);
    int count = atoi(argv[4]);
    int root = atoi(argv[5]);
    int in_place = strcmp(argv[6], "in-place") == 0;
    int launches = atoi(argv[7]);
    int batches = atoi(argv[8]);

    int rank, ranks, width;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_size(type, &width);
    size_t slice = (size_t)count * width;
    size_t sent = slice * (collective == REDUCESCATTER || collective == ALLTOALL || collective == SCATTER ? ranks : 1);
    size_t received = slice * (collective == ALLGATHER || collective == ALLTOALL || collective == GATHER ? ranks : 1);
    char *out = buffer(in_place && sent > received ? sent : received);
    const void *in = in_place ? MPI_IN_PLACE : buffer(sent);

    /* The first batch warms up. */
    for (int batch = -1; batch < batches; batch++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = nanos();
        for (int i = 0; i < launches; i++) {
            switch (collective) {
            case ALLREDUCE:
                MPI_Allreduce(in, out, count, type, op, MPI_COMM_WORLD);
                break;
            case ALLGATHER:
                MPI_Allgather(in, count, type, out, count, type, MPI_COMM_WORLD);
                break;
            case REDUCESCATTER:
                MPI_Reduce_scatter_block(in, out, count, type, op, MPI_COMM_WORLD);
                break;
            case BROADCAST: /* has one buffer, and is in place always */
                MPI_Bcast(out, count, type, root, MPI_COMM_WORLD);
                break;
            case ALLTOALL:
                MPI_Alltoall(in, count, type, out, count, type, MPI_COMM_WORLD);
                break;
            /* In place, only the root says so; the others have one buffer, and name it once. */
            case REDUCE:
                MPI_Reduce(in_place && rank != root ? out : in, rank == root ? out : NULL, count, type, op, root,
                           MPI_COMM_WORLD);
                break;
            case SCATTER:
                MPI_Scatter(rank != root ? NULL : in_place ? out : in, count, type,
                            in_place && rank == root ? MPI_IN_PLACE : out, count, type, root, MPI_COMM_WORLD);
                break;
            case GATHER:
                MPI_Gather(in_place && rank != root ? out : in, count, type, rank == root ? out : NULL, count, type, root,
                           MPI_COMM_WORLD);
                break;
            }
        }
        double own = nanos() - start, slowest;
        MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0 && batch >= 0)
            printf("%.0f\n", slowest);
    }
    MPI_Finalize();
    return 0;
}
