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

communicator *new_communicator(group *g, int rank, int blocking);

#endif
