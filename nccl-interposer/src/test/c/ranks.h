/* Ranks that one thread of the program drives, each with a GPU, a stream, and buffers in which every element is a
 * small number. */
#ifndef MSCCLJ_TEST_RANKS_H
#define MSCCLJ_TEST_RANKS_H

#include "program.h"

enum { MOST_RANKS = 4 };

typedef struct {
    ncclComm_t comm;
    int rank;
    void *stream, *input, *output;
} one_rank;

/* Opens communicators on GPUs 0 to ranks - 1; the buffers hold that many elements of any type. */
void open_ranks(one_rank *all, int ranks, long elements);
/* The same by a unique id and a group, as nccl-tests do: to the library, the ranks might be processes. */
void join_ranks(one_rank *all, int ranks, long elements);
void close_ranks(one_rank *all, int ranks);

/* What rank r has at place k of its input: 1 or 2 on even ranks, 3 or 2 on odd ranks. */
int given(int rank, long k);

/* The sum of that element over all ranks. */
int sum_of_given(int ranks, long k);

/* Writes the inputs, and clears the outputs. */
void fill(one_rank *all, int ranks, long elements, int type);

/* Checks that the output of a rank has a number at each place. */
typedef int expected(int rank, long k);
void check_output(one_rank *one, long elements, int type, expected *number, const char *what);

#endif
