/* How the stand-in carries calls out. */
#ifndef STAND_IN_CALLS_H
#define STAND_IN_CALLS_H

#include "stand_in.h"

/*
 * Carries a call out, at the end of the thread's group if there is one. Returns at once if the communicator does not
 * block.
 */
int submit(communicator *comm, call own);

/* Whether this thread made the last call of a communicator that does not block. */
int is_own(const communicator *comm);

communicator *new_communicator(const uint64_t *id, int ranks, int rank, int blocking);

/* Carries out calls that move data. */
int move(communicator *comm, call *calls, int count);

/* Whether a call moves data, so that it belongs on a stream. */
int moves(const call *own);

/* The current context of the stand-in for the driver; 0 if that is not loaded. */
uint64_t current_context(void);

/* Memory of the device, or of the host without the driver. */
int allocate(void **address, size_t bytes);
int release(void *address);

/* Enqueues calls that move data on their stream. */
int enqueue(communicator *comm, const call *calls, int count);

/* Waits until streams have carried out what was enqueued, or for an abort. */
int await_streams(communicator *comm);

#endif
