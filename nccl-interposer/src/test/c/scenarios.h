/* The scenarios of the program. */
#ifndef MSCCLJ_TEST_SCENARIOS_H
#define MSCCLJ_TEST_SCENARIOS_H

#include <stdbool.h>

/* In one process: all collectives of all ranks, against their definitions. */
void run_collectives(int ranks);
void run_types(bool every);
void run_groups(void);
void run_splits(void);
void run_refusals(void);
void run_configurations(void);
void run_memory(void);
void run_abort(void);

/* A rank of several processes. */
void run_rank(int rank, int ranks, const char *file);
void run_capture(int rank, const char *file, int mode, int warm);
void run_loss(int rank, const char *file);
void run_counts(int rank, const char *file);
void run_crossed(int rank, const char *file);

/* Beside the VM. */
void run_fork(void);
void run_threads(void);
void run_end(void);

#endif
