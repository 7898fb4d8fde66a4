/* The operations of a communicator, as calls of Java. */
#ifndef MSCCLJ_INTERPOSER_CALLS_H
#define MSCCLJ_INTERPOSER_CALLS_H

#include "interposer.h"

/* Makes the calls of one communicator, which the thread has entered: all messages are one batch, before the
 * collectives. */
result call_operations(const operation *all, size_t count);

#endif
