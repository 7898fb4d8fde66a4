/* How communicators begin: by a unique id, as a part of another one, or as what is left of it. */
#include "interposer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a communicator is opened. */
typedef enum { BY_ID, BY_SPLIT, BY_SHRINK } way;

struct opening {
    way way;
    communicator *comm;   /* the new one */
    communicator *parent; /* entered by the thread that opens */
    communicator **out;
    unique_id id;
    int size, rank, device;
    int colour, key;
    int *excluded, excluded_count;
    char *name;
    result outcome;
    char text[512];
};

API(result, ncclGetUniqueId, (unique_id * id)) {
    if (id == NULL) {
        return failed(INVALID_ARGUMENT, "ncclGetUniqueId: the pointer is NULL; pass the address of an ncclUniqueId");
    }
    JNIEnv *env = java_env();
    if (env == NULL) {
        return SYSTEM_ERROR;
    }
    jbyteArray made = (*env)->CallStaticObjectMethod(env, java_calls(), java_method(env, "uniqueId", "()[B"));
    result outcome = java_outcome(env);
    if (outcome == SUCCESS) {
        (*env)->GetByteArrayRegion(env, made, 0, sizeof id->bytes, (jbyte *)id->bytes);
        (*env)->DeleteLocalRef(env, made);
        outcome = java_outcome(env);
    }
    return outcome;
}

static jint open_by_id(JNIEnv *env, opening *one) {
    jbyteArray id = (*env)->NewByteArray(env, sizeof one->id.bytes);
    if (id == NULL) {
        return 0; /* the exception is pending */
    }
    (*env)->SetByteArrayRegion(env, id, 0, sizeof one->id.bytes, (const jbyte *)one->id.bytes);
    jstring name = (*env)->NewStringUTF(env, one->name == NULL ? "" : one->name);
    jstring backend = (*env)->NewStringUTF(env, BACKEND);
    jint made = (*env)->CallStaticIntMethod(env, java_calls(),
        java_method(env, "open", "(J[BIIILjava/lang/String;Ljava/lang/String;)I"), (jlong)(intptr_t)one->comm, id,
        one->size, one->rank, one->device, name, backend);
    (*env)->DeleteLocalRef(env, id);
    (*env)->DeleteLocalRef(env, backend);
    (*env)->DeleteLocalRef(env, name);
    return made;
}

static jint open_by_parent(JNIEnv *env, opening *one) {
    if (one->way == BY_SPLIT) {
        jstring name = (*env)->NewStringUTF(env, one->name == NULL ? "" : one->name);
        jint made = (*env)->CallStaticIntMethod(env, java_calls(),
            java_method(env, "split", "(IIILjava/lang/String;)I"), one->parent->id, one->colour, one->key, name);
        (*env)->DeleteLocalRef(env, name);
        return made;
    }
    jintArray excluded = (*env)->NewIntArray(env, one->excluded_count);
    if (excluded == NULL) {
        return 0;
    }
    (*env)->SetIntArrayRegion(env, excluded, 0, one->excluded_count, one->excluded);
    jint made =
        (*env)->CallStaticIntMethod(env, java_calls(), java_method(env, "shrink", "(I[I)I"), one->parent->id, excluded);
    (*env)->DeleteLocalRef(env, excluded);
    return made;
}

/* The new communicator has the number that Java gave it; less than 0: this rank takes no part. */
static result adopt(JNIEnv *env, opening *one, jint made) {
    communicator *comm = one->comm;
    comm->id = made;
    comm->device = one->device;
    if (made >= 0) {
        comm->rank = (*env)->CallStaticIntMethod(env, java_calls(), java_method(env, "rank", "(I)I"), made);
        comm->size = (*env)->CallStaticIntMethod(env, java_calls(), java_method(env, "size", "(I)I"), made);
    }
    return java_outcome(env);
}

void run_opening(opening *one) {
    communicator *comm = one->comm;
    JNIEnv *env = java_env();
    one->outcome = env == NULL ? SYSTEM_ERROR : SUCCESS;
    bool entered = false;
    if (one->outcome == SUCCESS && one->parent != NULL) {
        one->outcome = enter(one->parent, one->way == BY_SPLIT ? "ncclCommSplit" : "ncclCommShrink");
        entered = one->outcome == SUCCESS;
    }
    if (one->outcome == SUCCESS) {
        jint made = one->way == BY_ID ? open_by_id(env, one) : open_by_parent(env, one);
        one->outcome = java_outcome(env);
        if (one->outcome == SUCCESS) {
            one->outcome = adopt(env, one, made);
        }
    }
    if (entered) {
        leave(one->parent);
    }
    snprintf(one->text, sizeof one->text, "%s", one->outcome == SUCCESS ? "" : kept_text());
    if (comm != NULL) {
        memcpy(comm->text, one->text, sizeof comm->text);
        if (one->outcome == SUCCESS) {
            state expected = OPENING; /* it may be aborted meanwhile */
            atomic_compare_exchange_strong(&comm->now, &expected, OPEN);
        }
        atomic_store(&comm->asynchronous, one->outcome);
    }
}

/* By the thread of a communicator that does not block: the communicator has the outcome. */
static void run_alone(void *of) {
    run_opening(of);
    forget_opening(of);
}

result opening_result(opening *one, communicator **comm) {
    *comm = one->comm;
    if (one->outcome != SUCCESS || one->comm->id < 0) {
        *one->out = NULL;
    }
    return one->outcome == SUCCESS ? SUCCESS : failed(one->outcome, "%s", one->text);
}

void forget_opening(opening *one) {
    free(one->excluded);
    free(one->name);
    free(one);
}

/* At once, at the end of the group, or beside the program if the communicator does not block. */
static result begin(opening *one) {
    *one->out = one->comm;
    if (!one->comm->blocks) {
        atomic_store(&one->comm->asynchronous, IN_PROGRESS);
        worker *thread = worker_of(one->comm);
        if (thread == NULL) {
            forget_opening(one);
            return SYSTEM_ERROR;
        }
        give_job(thread, run_alone, one);
        return IN_PROGRESS;
    }
    if (in_group()) {
        return add_opening(one);
    }
    run_opening(one);
    communicator *comm;
    result outcome = opening_result(one, &comm);
    forget_opening(one);
    return outcome;
}

static opening *new_opening(way way, communicator **out, const config *options) {
    opening *made = calloc(1, sizeof *made);
    communicator *comm = made == NULL ? NULL : new_communicator(config_blocks(options));
    if (comm == NULL) {
        free(made);
        return NULL;
    }
    const char *name = config_name(options);
    made->way = way;
    made->comm = comm;
    made->out = out;
    made->name = name == NULL ? NULL : strdup(name);
    return made;
}

result open_later(communicator **out, int size, const unique_id *id, int rank, int device, const config *options) {
    if (out == NULL || id == NULL) {
        return failed(INVALID_ARGUMENT, "ncclCommInitRank: a pointer is NULL; pass the address of a communicator");
    }
    if (size < 1 || rank < 0 || rank >= size) {
        return failed(INVALID_ARGUMENT,
            "ncclCommInitRank: rank %d of %d; allowed: 1 rank or more, and a rank from 0 to one less", rank, size);
    }
    result refusal = check_config(options);
    if (refusal != SUCCESS) {
        return refusal;
    }
    opening *one = new_opening(BY_ID, out, options);
    if (one == NULL) {
        return SYSTEM_ERROR;
    }
    one->id = *id;
    one->size = size;
    one->rank = rank;
    one->device = device;
    return begin(one);
}

API(result, ncclCommInitRank, (communicator * *out, int size, unique_id id, int rank)) {
    return open_later(out, size, &id, rank, current_device(), NULL);
}

API(result, ncclCommInitRankConfig, (communicator * *out, int size, unique_id id, int rank, const config *options)) {
    return open_later(out, size, &id, rank, current_device(), options);
}

API(result, ncclCommInitRankScalable,
    (communicator * *out, int size, int rank, int ids, const unique_id *id, const config *options)) {
    if (ids < 1) {
        return failed(INVALID_ARGUMENT, "ncclCommInitRankScalable: %d unique ids; allowed: 1 or more", ids);
    }
    return open_later(out, size, id, rank, current_device(), options); /* one store serves all ranks */
}

result ncclGroupStart(void);
result ncclGroupEnd(void);

API(result, ncclCommInitAll, (communicator * *out, int size, const int *devices)) {
    if (out == NULL || size < 1) {
        return failed(
            INVALID_ARGUMENT, "ncclCommInitAll: %d communicators; allowed: 1 or more, and an array for them", size);
    }
    unique_id id;
    result outcome = ncclGetUniqueId(&id);
    if (outcome != SUCCESS) {
        return outcome;
    }
    ncclGroupStart();
    for (int i = 0; i < size; i++) {
        result refusal = open_later(&out[i], size, &id, i, devices == NULL ? i : devices[i], NULL);
        outcome = outcome == SUCCESS ? refusal : outcome;
    }
    result end = ncclGroupEnd();
    return outcome == SUCCESS ? end : outcome;
}

static result open_from(way way, communicator *parent, communicator **out, const config *options, opening **made) {
    const char *function = way == BY_SPLIT ? "ncclCommSplit" : "ncclCommShrink";
    if (out == NULL) {
        return failed(INVALID_ARGUMENT, "%s: a pointer is NULL; pass the address of a communicator", function);
    }
    result refusal = check_config(options);
    if (refusal == SUCCESS) {
        refusal = enter(parent, function);
    }
    if (refusal != SUCCESS) {
        return refusal;
    }
    leave(parent); /* the thread that opens enters again */
    *made = new_opening(way, out, options);
    if (*made == NULL) {
        return SYSTEM_ERROR;
    }
    if (options == NULL || options->blocking == UNDEFINED) {
        (*made)->comm->blocks = parent->blocks;
    }
    (*made)->parent = parent;
    (*made)->device = parent->device;
    return SUCCESS;
}

API(result, ncclCommSplit, (communicator * parent, int colour, int key, communicator **out, const config *options)) {
    opening *one;
    result refusal = open_from(BY_SPLIT, parent, out, options, &one);
    if (refusal != SUCCESS) {
        return refusal;
    }
    one->colour = colour;
    one->key = key;
    return begin(one);
}

API(result, ncclCommShrink,
    (communicator * parent, const int *excluded, int count, communicator **out, const config *options, int flags)) {
    (void)flags; /* launches of the parent end in any case */
    opening *one;
    if (count < 0 || (count > 0 && excluded == NULL)) {
        return failed(INVALID_ARGUMENT, "ncclCommShrink: a list of %d ranks at %p; allowed: 0 or more, and their list",
            count, (const void *)excluded);
    }
    result refusal = open_from(BY_SHRINK, parent, out, options, &one);
    if (refusal != SUCCESS) {
        return refusal;
    }
    one->excluded = malloc((size_t)count * sizeof *excluded + 1);
    if (one->excluded == NULL) {
        forget_opening(one);
        return failed(SYSTEM_ERROR, "there is no memory for a list of %d ranks", count);
    }
    memcpy(one->excluded, excluded, (size_t)count * sizeof *excluded);
    one->excluded_count = count;
    return begin(one);
}
