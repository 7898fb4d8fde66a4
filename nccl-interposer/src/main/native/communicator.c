/* Communicators: their handles, what they tell of themselves, and their end. */
#include "interposer.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t TAG = 0x4d53434c4a434f4d; /* "MSCLJCOM" */

/* Never freed, so that a late call with its handle gets a code. */
communicator *new_communicator(bool blocks) {
    communicator *made = calloc(1, sizeof *made);
    if (made == NULL) {
        failed(SYSTEM_ERROR, "there is no memory for a communicator");
        return NULL;
    }
    made->tag = TAG;
    made->blocks = blocks;
    pthread_mutex_init(&made->lock, NULL);
    return made;
}

static result refuse_foreign(const communicator *comm, const char *function) {
    if (comm == NULL) {
        return failed(
            INVALID_ARGUMENT, "%s: the communicator is NULL; pass one that ncclCommInit… has returned", function);
    }
    if (((uintptr_t)comm & 7) != 0 || comm->tag != TAG) {
        return failed(INVALID_ARGUMENT,
            "%s: this communicator was not made by mscclj, but perhaps by another library of NCCL in this process; "
            "load one"
            " only",
            function);
    }
    return SUCCESS;
}

static result refuse_state(communicator *comm, const char *function) {
    switch (atomic_load(&comm->now)) {
        case OPEN:
            return SUCCESS;
        case OPENING:
            return failed(INVALID_ARGUMENT,
                "%s: the communicator is still being opened; call ncclCommGetAsyncError until it gives ncclSuccess",
                function);
        case FINALIZED:
            return failed(INVALID_USAGE, "%s: the communicator is finalized; it can only be destroyed", function);
        case ABORTED:
            return failed(INVALID_USAGE, "%s: the communicator is aborted; make another one", function);
        default:
            return failed(INVALID_ARGUMENT, "%s: the communicator is destroyed; make another one", function);
    }
}

result enter(communicator *comm, const char *function) {
    result refusal = refuse_foreign(comm, function);
    if (refusal != SUCCESS) {
        return refusal;
    }
    atomic_fetch_add(&comm->users, 1);
    refusal = refuse_state(comm, function);
    if (refusal == SUCCESS) {
        pthread_mutex_lock(&comm->lock);
        refusal = refuse_state(comm, function);
        if (refusal == SUCCESS) {
            return SUCCESS;
        }
        pthread_mutex_unlock(&comm->lock);
    }
    atomic_fetch_sub(&comm->users, 1);
    return refusal;
}

void leave(communicator *comm) {
    pthread_mutex_unlock(&comm->lock);
    atomic_fetch_sub(&comm->users, 1);
}

worker *worker_of(communicator *comm) {
    if (comm->worker == NULL) {
        comm->worker = start_worker();
        if (comm->worker == NULL) {
            failed(SYSTEM_ERROR, "no thread can be started for a communicator");
        }
    }
    return comm->worker;
}

/* What a communicator tells of itself, also while it is not open. */
static result tell(communicator *comm, const char *function, const int *value, int *out) {
    result refusal = refuse_foreign(comm, function);
    if (refusal == SUCCESS && out == NULL) {
        refusal = failed(INVALID_ARGUMENT, "%s: the pointer is NULL; pass the address of an int", function);
    }
    if (refusal == SUCCESS && atomic_load(&comm->now) == OPENING) {
        refusal = refuse_state(comm, function);
    }
    if (refusal == SUCCESS) {
        *out = *value;
    }
    return refusal;
}

API(result, ncclCommCount, (communicator * comm, int *count)) {
    return tell(comm, "ncclCommCount", &comm->size, count);
}

API(result, ncclCommUserRank, (communicator * comm, int *rank)) {
    return tell(comm, "ncclCommUserRank", &comm->rank, rank);
}

API(result, ncclCommCuDevice, (communicator * comm, int *device)) {
    return tell(comm, "ncclCommCuDevice", &comm->device, device);
}

static result call_java(communicator *comm, const char *method, const char *signature) {
    JNIEnv *env = java_env();
    if (env == NULL) {
        return SYSTEM_ERROR;
    }
    (*env)->CallStaticVoidMethod(env, java_calls(), java_method(env, method, signature), comm->id);
    return java_outcome(env);
}

API(result, ncclCommGetAsyncError, (communicator * comm, result *out)) {
    result refusal = refuse_foreign(comm, "ncclCommGetAsyncError");
    if (refusal == SUCCESS && out == NULL) {
        refusal = failed(INVALID_ARGUMENT, "ncclCommGetAsyncError: the pointer is NULL; pass the address of a result");
    }
    if (refusal != SUCCESS) {
        return refusal;
    }
    *out = atomic_load(&comm->asynchronous);
    if (*out != SUCCESS) {
        if (*out != IN_PROGRESS) {
            failed(*out, "%s", comm->text);
        }
        return SUCCESS;
    }
    if (atomic_load(&comm->now) == OPEN) {
        *out = call_java(comm, "check", "(I)V");
    }
    return SUCCESS;
}

/* Waits for threads that are inside a call, which end soon: they have what they wait for, or the communicator is
 * aborted. */
static void await_users(communicator *comm) {
    while (atomic_load(&comm->users) > 0) {
        sched_yield();
    }
    if (comm->worker != NULL) {
        await_job(comm->worker);
    }
}

static result close_java(communicator *comm) {
    result outcome = call_java(comm, "close", "(I)V");
    if (comm->worker != NULL) {
        end_worker(comm->worker);
        comm->worker = NULL;
    }
    return outcome;
}

static void finalize(void *of) {
    communicator *comm = of;
    result outcome = call_java(comm, "close", "(I)V");
    snprintf(comm->text, sizeof comm->text, "%s", outcome == SUCCESS ? "" : kept_text());
    atomic_store(&comm->asynchronous, outcome);
}

API(result, ncclCommFinalize, (communicator * comm)) {
    result refusal = enter(comm, "ncclCommFinalize");
    if (refusal != SUCCESS) {
        return refusal;
    }
    atomic_store(&comm->now, FINALIZED);
    leave(comm);
    worker *thread = comm->blocks ? NULL : worker_of(comm);
    if (thread == NULL) {
        finalize(comm);
        return (result)atomic_load(&comm->asynchronous);
    }
    atomic_store(&comm->asynchronous, IN_PROGRESS);
    give_job(thread, finalize, comm);
    return IN_PROGRESS;
}

API(result, ncclCommDestroy, (communicator * comm)) {
    if (comm == NULL) {
        return SUCCESS;
    }
    result refusal = refuse_foreign(comm, "ncclCommDestroy");
    if (refusal != SUCCESS) {
        return refusal;
    }
    if (atomic_load(&comm->now) == OPENING) {
        await_users(comm);
    }
    state before = atomic_exchange(&comm->now, DESTROYED);
    if (before == DESTROYED || before == ABORTED) {
        return failed(INVALID_ARGUMENT, "ncclCommDestroy: the communicator is %s already",
            before == ABORTED ? "aborted" : "destroyed");
    }
    await_users(comm);
    return close_java(comm); /* closing twice does nothing, nor does closing what was never opened */
}

/* Ends an opening, which waits for other ranks. */
static result cancel_opening(communicator *comm) {
    JNIEnv *env = java_env();
    if (env == NULL) {
        return SYSTEM_ERROR;
    }
    (*env)->CallStaticVoidMethod(env, java_calls(), java_method(env, "cancel", "(J)V"), (jlong)(intptr_t)comm);
    return java_outcome(env);
}

static result end_all(communicator *comm, const char *function) {
    result refusal = refuse_foreign(comm, function);
    if (refusal != SUCCESS) {
        return refusal;
    }
    state before = atomic_exchange(&comm->now, ABORTED);
    if (before == DESTROYED || before == ABORTED) {
        atomic_store(&comm->now, before);
        return failed(INVALID_ARGUMENT, "%s: the communicator is %s already", function,
            before == ABORTED ? "aborted" : "destroyed");
    }
    return before == OPENING ? cancel_opening(comm) : call_java(comm, "abort", "(I)V");
}

API(result, ncclCommAbort, (communicator * comm)) {
    if (comm == NULL) {
        return SUCCESS;
    }
    result outcome = end_all(comm, "ncclCommAbort");
    if (outcome == SUCCESS) {
        await_users(comm);
        close_java(comm); /* what it says of the abort is no failure of this call */
    }
    return outcome;
}

API(result, ncclCommRevoke, (communicator * comm, int flags)) {
    (void)flags;
    result refusal = enter(comm, "ncclCommRevoke");
    if (refusal == SUCCESS) {
        refusal = call_java(comm, "abort", "(I)V");
        leave(comm);
    }
    return refusal;
}
