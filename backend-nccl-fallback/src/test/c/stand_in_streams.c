/*
 * Calls on streams: the stand-in for libcuda.so.1 runs a function when all before it on the stream has ended, and what
 * follows waits for it. Replays of a graph run the functions of its calls. The real driver is never used.
 */
#include "stand_in_calls.h"

#include <dlfcn.h>

typedef struct {
    communicator *comm;
    long number; /* of calls outside of graphs, which run in this order; -1: of a graph */
    int count;
    call calls[];
} batch;

static struct {
    int (*launch)(void *stream, void (*function)(void *), void *argument);
    int (*is_capturing)(void *stream, int *status);
    int (*get_context)(uint64_t *context);
    int (*set_context)(uint64_t context);
    int (*allocate)(uint64_t *address, size_t bytes);
    int (*free)(uint64_t address);
} driver;

#ifdef RCCL
/* A thread always has a GPU in HIP. Makes it the one of CUDA, which is underneath. */
static void use_gpu_of_hip(void) {
    void *hip = dlopen("libamdhip64.so.6", RTLD_NOW | RTLD_NOLOAD);
    int (*get_device)(int *), (*set_device)(int), device;
    if (hip != NULL) {
        *(void **)&get_device = dlsym(hip, "hipGetDevice");
        *(void **)&set_device = dlsym(hip, "hipSetDevice");
        if (get_device(&device) == 0) {
            set_device(device);
        }
    }
}
#else
static void use_gpu_of_hip(void) {}
#endif

uint64_t current_context(void) {
    use_gpu_of_hip();
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL || dlsym(library, "standin_live") == NULL) {
        return 0;
    }
    *(void **)&driver.launch = dlsym(library, "cuLaunchHostFunc");
    *(void **)&driver.is_capturing = dlsym(library, "cuStreamIsCapturing");
    *(void **)&driver.get_context = dlsym(library, "cuCtxGetCurrent");
    *(void **)&driver.set_context = dlsym(library, "cuCtxSetCurrent");
    *(void **)&driver.allocate = dlsym(library, "cuMemAlloc_v2");
    *(void **)&driver.free = dlsym(library, "cuMemFree_v2");
    uint64_t context = 0;
    return driver.get_context(&context) == 0 ? context : 0;
}

int allocate(void **address, size_t bytes) {
    if (current_context() != 0) {
        return driver.allocate((uint64_t *)address, bytes) == 0 ? SUCCESS : failed(CUDA_ERROR, "no memory");
    }
    *address = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    return *address == NULL ? failed(SYSTEM_ERROR, "no memory") : SUCCESS;
}

int release(void *address) {
    if (current_context() != 0) {
        return driver.free((uint64_t)address) == 0 ? SUCCESS : failed(CUDA_ERROR, "no such memory");
    }
    free(address);
    return SUCCESS;
}

static int is_due(communicator *comm, long number) {
    return number < 0 || __atomic_load_n(&comm->finished, __ATOMIC_SEQ_CST) == number;
}

/* Called by the stream. */
static void run_batch(void *argument) {
    batch *own = argument;
    communicator *comm = own->comm;
    if (own->number < 0) {
        __atomic_add_fetch(&comm->at_work, 1, __ATOMIC_SEQ_CST);
    }
    while (!is_due(comm, own->number) && !is_aborted(comm)) {
        rest();
    }
    pthread_mutex_lock(&comm->turn);
    int status = is_aborted(comm) ? SUCCESS : move(comm, own->calls, own->count);
    if (status != SUCCESS && !is_aborted(comm)) {
        __atomic_store_n(&comm->reported, status, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&comm->turn);
    if (own->number >= 0) {
        __atomic_add_fetch(&comm->finished, 1, __ATOMIC_SEQ_CST);
        free(own); /* that of a graph may run again */
    }
    __atomic_sub_fetch(&comm->at_work, 1, __ATOMIC_SEQ_CST);
}

int enqueue(communicator *comm, const call *calls, int count) {
    int captured = 0;
    void *stream = calls[0].stream;
    batch *made = malloc(sizeof *made + (size_t)count * sizeof *calls);
    memcpy(made->calls, calls, (size_t)count * sizeof *calls);
    made->comm = comm;
    made->count = count;
    uint64_t before = 0;
    driver.get_context(&before);
    driver.set_context(comm->context);
    int result = driver.is_capturing(stream, &captured);
    made->number = captured ? -1 : comm->issued++;
    int waits = result == 0 && !captured; /* as NCCL's, an abort waits for what is enqueued */
    __atomic_add_fetch(&comm->at_work, waits, __ATOMIC_SEQ_CST);
    if (result == 0) {
        result = driver.launch(stream, run_batch, made);
        __atomic_sub_fetch(&comm->at_work, result == 0 ? 0 : waits, __ATOMIC_SEQ_CST);
    }
    driver.set_context(before);
    return result == 0 ? SUCCESS : failed(CUDA_ERROR, "the driver refuses the call");
}

int await_streams(communicator *comm) {
    count_live(WAITING, 1);
    while (__atomic_load_n(&comm->finished, __ATOMIC_SEQ_CST) < comm->issued && !is_aborted(comm)) {
        rest();
    }
    count_live(WAITING, -1);
    return is_aborted(comm) ? failed(INTERNAL_ERROR, "aborted") : SUCCESS;
}
