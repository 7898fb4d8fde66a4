/* What the files of the library share. Names of NCCL are exported by API alone; all others stay inside the library. */
#ifndef MSCCLJ_INTERPOSER_H
#define MSCCLJ_INTERPOSER_H

#include "abi.h"

#include <jni.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Defines a function of NCCL, and its twin with the prefix "p", under which profilers call the original. */
#define API(type, name, parameters)                                                      \
    __attribute__((visibility("default"))) type name parameters;                         \
    extern __attribute__((visibility("default"), alias(#name))) type p##name parameters; \
    type name parameters

/* ---- error.c: the text of the last failure ---- */

/* Keeps a text for ncclGetLastError, and returns the code. */
__attribute__((format(printf, 2, 3))) result failed(result code, const char *format, ...);

/* The text that this thread kept last; empty if it kept none. */
const char *kept_text(void);

/* ---- vm.c: the Java virtual machine ---- */

/* The environment of this thread; creates the VM at the first call. NULL after a failure, whose text is kept. */
JNIEnv *java_env(void);

/* SUCCESS, or the code of the exception that is pending, whose text is kept. */
result java_outcome(JNIEnv *env);

/* The class with the methods that this library calls. */
jclass java_calls(void);

/* The id of a static method of that class, which exists. */
jmethodID java_method(JNIEnv *env, const char *name, const char *signature);

/* ---- class_path.c ---- */

/* The VM's option for a class path: entries with colons between them, in which a folder of jars stands for its jars. */
char *class_path(const char *entries);

/* ---- fork.c ---- */

/* Remembers the handlers of the signals that the VM is about to install handlers for. */
void remember_handlers(void);

/* From now on, a child of fork has no VM. */
void guard_forks(void);

/* Whether this process was forked from one with a VM. */
bool is_fork(void);

/* ---- worker.c: threads that make the calls of one communicator ---- */

typedef struct worker worker;

typedef void job(void *argument);

/* Starts a thread; NULL if there is none. */
worker *start_worker(void);

/* Hands a job to a worker that has none. */
void give_job(worker *of, job *work, void *argument);

/* Waits until a worker has no job. */
void await_job(worker *of);

/* Ends a worker that has no job. */
void end_worker(worker *of);

/* ---- communicator.c ---- */

typedef enum { OPENING, OPEN, FINALIZED, ABORTED, DESTROYED } state;

typedef struct {
    bool live;
    int type;
    int residence;
    int64_t factor; /* the bits of one element, or its address */
} reduction;

enum { REDUCTIONS = 64 };

typedef struct communicator {
    uint64_t tag;
    _Atomic state now;
    int id, rank, size, device;
    bool blocks;
    worker *worker;           /* started at its first job */
    pthread_mutex_t lock;     /* of one call at a time */
    _Atomic int users;        /* threads that are inside a call */
    _Atomic int asynchronous; /* the result of the call that goes on, or of the last one */
    char text[512];           /* of that result */
    reduction reductions[REDUCTIONS];
} communicator;

/* A communicator that is not open yet. */
communicator *new_communicator(bool blocks);

/* Refuses what is not a communicator of this library, or one that cannot be used. A call that was let in leaves. */
result enter(communicator *comm, const char *function);
void leave(communicator *comm);

/* The worker of a communicator; NULL if there is none. */
worker *worker_of(communicator *comm);

/* ---- opening.c ---- */

typedef struct opening opening;

/* Opens, or, inside a group, remembers to open a communicator at the end of the group. */
result open_later(communicator **out, int size, const unique_id *id, int rank, int device, const config *options);
void run_opening(opening *one);
result opening_result(opening *one, communicator **comm);
void forget_opening(opening *one);

/* ---- config.c ---- */

/* Refuses a configuration that no version of NCCL has initialized. */
result check_config(const config *options);
bool config_blocks(const config *options);
const char *config_name(const config *options);

/* ---- group.c: what a thread has called between ncclGroupStart and ncclGroupEnd ---- */

typedef enum { COLLECTIVE, MESSAGE, REGISTRATION } kind;

typedef struct {
    communicator *comm;
    kind kind;
    int collective, type, op, root;
    int64_t send, receive, count, stream, factor;
    bool sends;
    int peer;
    int64_t bytes;
    void **window; /* where the handle of a registration goes */
} operation;

bool in_group(void);
result add_operation(const operation *one);
/* Returns the outcome of a call; inside a group, ncclGroupEnd returns the first failure and makes no calls. */
result noted(result outcome);
result add_opening(opening *one);

/* ---- windows.c ---- */

/* Registers memory together with the other ranks; this thread has entered the communicator. */
result register_window(JNIEnv *env, const operation *one);

/* ---- real.c: NCCL as it is installed ---- */

/* Opens the library that MSCCLJ_NCCL_LIB names, before Java searches for it: so that it calls its own functions. */
void open_real(void);
long passed(const char *name, const char *since, long a, long b, long c, long d);
long refused(const char *name, const char *since);

/* ---- collectives.c ---- */

/* Bytes of an element of each type. */
extern const int TYPE_WIDTHS[TYPES];

/* ---- device.c ---- */

/* The GPU that is current for this thread. */
int current_device(void);

/* A function of CUDA's driver or runtime in this process; NULL if there is none. */
void *cuda_function(const char *name);

#endif
