/* Faults and counts, for tests. */
#include "stand_in.h"

long live[KINDS];
__thread char last_error[128];

enum { NONE, FAIL, HANG, HANG_FOREVER, REPORT };

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
 * until stand_in_release, or succeed and report the code later. The fault is over after `times` calls.
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

static void nap(void) {
    struct timespec time = {0, 1000000};
    nanosleep(&time, NULL);
}

int injected(const char *function, communicator *comm) {
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
    long before = __atomic_load_n(&released, __ATOMIC_SEQ_CST);
    switch (kind) {
        case FAIL: return failed(code, "injected");
        case REPORT:
            if (comm != NULL) {
                __atomic_store_n(&comm->reported, code, __ATOMIC_SEQ_CST);
            }
            return SUCCESS;
        case HANG:
        case HANG_FOREVER:
            count_live(WAITING, 1);
            while (__atomic_load_n(&released, __ATOMIC_SEQ_CST) == before
                    && (kind == HANG_FOREVER || comm == NULL
                            || !__atomic_load_n(&comm->group->aborted, __ATOMIC_SEQ_CST))) {
                nap();
            }
            count_live(WAITING, -1);
            return failed(INTERNAL_ERROR, "hung");
        default: return SUCCESS;
    }
}

int meet(group *g) {
    pthread_mutex_lock(&g->lock);
    long round = g->rounds;
    if (++g->arrived == g->ranks) {
        g->arrived = 0;
        g->rounds++;
        pthread_cond_broadcast(&g->changed);
    }
    count_live(WAITING, 1);
    while (g->rounds == round && !g->aborted) {
        pthread_cond_wait(&g->changed, &g->lock);
    }
    count_live(WAITING, -1);
    int aborted = g->aborted;
    pthread_mutex_unlock(&g->lock);
    return aborted ? failed(INTERNAL_ERROR, "aborted") : SUCCESS;
}
