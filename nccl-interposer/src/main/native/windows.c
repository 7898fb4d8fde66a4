/* Memory that all ranks register together: peers access it without a copy. */
#include "interposer.h"

#include <stdlib.h>

static const uint64_t TAG = 0x4d53434c4a57494e; /* "MSCLJWIN" */

typedef struct {
    uint64_t tag;
    communicator *comm;
    void *memory;
    int id;
} window;

API(result, ncclCommWindowRegister, (communicator * comm, void *memory, size_t size, window **out, int flags)) {
    (void)flags;
    if (out == NULL) {
        return failed(INVALID_ARGUMENT, "ncclCommWindowRegister: a pointer is NULL; pass the address of a window");
    }
    *out = NULL;
    result refusal = enter(comm, "ncclCommWindowRegister");
    if (refusal != SUCCESS) {
        return refusal;
    }
    leave(comm);
    const operation call = {
        .comm = comm,
        .kind = REGISTRATION,
        .send = (int64_t)(intptr_t)memory,
        .bytes = (int64_t)size,
        .window = (void **)out,
    };
    return add_operation(&call);
}

result register_window(JNIEnv *env, const operation *one) {
    window *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return failed(SYSTEM_ERROR, "there is no memory for a window");
    }
    *made = (window){.tag = TAG, .comm = one->comm, .memory = (void *)(intptr_t)one->send};
    made->id = (*env)->CallStaticIntMethod(env, java_calls(), java_method(env, "register", "(IJJ)I"),
        (jint)one->comm->id, (jlong)one->send, (jlong)one->bytes);
    result outcome = java_outcome(env);
    if (outcome == SUCCESS) {
        *one->window = made;
    } else {
        free(made);
    }
    return outcome;
}

static result refuse_foreign(const window *win, const communicator *comm, const char *function) {
    if (win == NULL || ((uintptr_t)win & 7) != 0 || win->tag != TAG || win->comm != comm) {
        return failed(INVALID_ARGUMENT,
            "%s: %p is no window of this communicator; pass one that ncclCommWindowRegister gave", function,
            (const void *)win);
    }
    return SUCCESS;
}

API(result, ncclCommWindowDeregister, (communicator * comm, window *win)) {
    result outcome = enter(comm, "ncclCommWindowDeregister");
    if (outcome != SUCCESS) {
        return outcome;
    }
    outcome = win == NULL ? SUCCESS : refuse_foreign(win, comm, "ncclCommWindowDeregister");
    if (outcome == SUCCESS && win != NULL) {
        JNIEnv *env = java_env();
        outcome = env == NULL ? SYSTEM_ERROR : SUCCESS;
        if (outcome == SUCCESS) {
            (*env)->CallStaticVoidMethod(
                env, java_calls(), java_method(env, "deregister", "(II)V"), comm->id, (jint)win->id);
            outcome = java_outcome(env);
        }
        if (outcome == SUCCESS) {
            win->tag = 0;
            free(win);
        }
    }
    leave(comm);
    return outcome;
}

API(result, ncclWinGetUserPtr, (communicator * comm, window *win, void **memory)) {
    result outcome = enter(comm, "ncclWinGetUserPtr");
    if (outcome != SUCCESS) {
        return outcome;
    }
    outcome = refuse_foreign(win, comm, "ncclWinGetUserPtr");
    if (outcome == SUCCESS && memory == NULL) {
        outcome = failed(INVALID_ARGUMENT, "ncclWinGetUserPtr: a pointer is NULL; pass the address of a pointer");
    }
    if (outcome == SUCCESS) {
        *memory = win->memory;
    }
    leave(comm);
    return outcome;
}
