/* Faults and counts, for tests. */
#include "stand_in.h"

#include <unistd.h>

long live[KINDS];
__thread char last_error[128];

enum { NONE, FAIL, HANG, HANG_FOREVER, REPORT, DELAY };

static pthread_mutex_t fault_lock = PTHREAD_MUTEX_INITIALIZER;
static char fault_function[64];
static int fault_kind, fault_code, fault_left;
static long released;

/* What is alive, by kind. */
EXPORT long stand_in_live(int kind) {
    return __atomic_load_n(&live[kind], __ATOMIC_SEQ_CST);
}

/* What the environment of the process says, as NCCL would see it. */
EXPORT const char *stand_in_environment(const char *name) {
    return getenv(name);
}

/*
 * Lets the next calls of a function, by any thread, fail with a code, hang until an abort of their communicator, hang
 * until stand_in_release, succeed and report the code later, or begin after stand_in_release only. The fault is over
 * after `times` calls. An abort ends calls that threads of their communicator carry out, and no others.
 */
EXPORT void stand_in_inject(const char *function, int kind, int code, int times) {
    pthread_mutex_lock(&fault_lock);
    snprintf(fault_function, sizeof fault_function, "%s", function);
    fault_kind = kind;
    fault_code = code;
    fault_left = times;
    pthread_mutex_unlock(&fault_lock);
}

/* Ends all calls that hang, and faults to come. */
EXPORT void stand_in_release(void) {
    stand_in_inject("", NONE, 0, 0);
    __atomic_add_fetch(&released, 1, __ATOMIC_SEQ_CST);
}

void nap(void) {
    struct timespec time = {0, 1000000};
    nanosleep(&time, NULL);
}

long releases(void) {
    return __atomic_load_n(&released, __ATOMIC_SEQ_CST);
}

int injected(const char *function, communicator *comm, int elsewhere) {
    if (comm != NULL && __atomic_load_n(&comm->reported, __ATOMIC_SEQ_CST) != SUCCESS) {
        return failed(comm->reported, "reported before");
    }
    pthread_mutex_lock(&fault_lock);
    int kind = fault_left > 0 && strcmp(function, fault_function) == 0 ? fault_kind : NONE;
    int code = fault_code;
    if (kind != NONE) {
        fault_left--;
    }
    pthread_mutex_unlock(&fault_lock);
    long before = releases();
    switch (kind) {
        case FAIL: return failed(code, "injected");
        case REPORT:
            if (comm != NULL) {
                __atomic_store_n(&comm->reported, code, __ATOMIC_SEQ_CST);
            }
            return SUCCESS;
        case HANG:
            if (elsewhere && comm != NULL && !comm->blocking) {
                comm->hangs = 1;
                return SUCCESS;
            }
            __attribute__((fallthrough)); /* nothing but the test ends it */
        case HANG_FOREVER:
        case DELAY:
            count_live(WAITING, 1);
            while (releases() == before) {
                nap();
            }
            count_live(WAITING, -1);
            return kind == DELAY ? SUCCESS : failed(INTERNAL_ERROR, "hung");
        default: return SUCCESS;
    }
}

communicator *begin_use(communicator *comm) {
    if (comm != NULL) {
        int users = __atomic_add_fetch(&comm->users, 1, __ATOMIC_SEQ_CST);
        count_live(MISUSES, users > 1 || __atomic_load_n(&comm->freed, __ATOMIC_SEQ_CST));
    }
    return comm;
}

void end_use(communicator **comm) {
    if (*comm != NULL) {
        __atomic_sub_fetch(&(*comm)->users, 1, __ATOMIC_SEQ_CST);
    }
}

void free_communicator(communicator *comm) {
    for (int rank = 0; comm->members != NULL && rank < comm->ranks; rank++) {
        if (comm->files[rank] > 0) {
            close(comm->files[rank]);
        }
    }
    __atomic_store_n(&comm->freed, 1, __ATOMIC_SEQ_CST);
    count_live(COMMUNICATORS, -1);
}
