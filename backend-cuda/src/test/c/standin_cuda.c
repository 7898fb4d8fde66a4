/*
 * A stand-in for libcuda.so.1: device memory is host memory, streams run at once, and everything that lives is counted.
 * Only what the backend calls is here. Mistakes that the real driver punishes are punished: no current context, memory that
 * was never made accessible, ranges of another size than was reserved, handles that are gone.
 *
 * Kernels of plans move nothing. They are noted, and keep the books that such a kernel keeps: the states of its blocks, the word that says that a
 * launch is at work, and the words that say that it has ended. A test may hold them: then each begins when everything before it on its stream has
 * ended, and ends when the test says so, or when its communicator is aborted; what comes after it on its stream, and what waits for that, waits.
 *
 * Code of emulated_nvrtc.cpp is run: each thread of a kernel by one of the process, when its kernel's turn comes on its stream. What follows it there waits
 * until all have ended. A block has no more threads than EMULATED_THREADS (1) says.
 *
 * Loading code, and freeing memory of cuMemHostAlloc or cuMemAlloc, waits until no kernel of the context is left, and keeps launches there waiting meanwhile, as the driver
 * does (begin_alone).
 *
 * Captures have the modes that the driver's have: what a capture that is not relaxed forbids ends that capture (FORBIDDEN).
 *
 * Environment: STANDIN_DEVICES (2), STANDIN_VERSION (13000), STANDIN_INIT (the result of cuInit, 0), STANDIN_MULTIPROCESSORS (4),
 * STANDIN_ARCHITECTURE (90: of sm_90), STANDIN_MULTICAST (1; 0: no device has it), STANDIN_FAIL and STANDIN_KILL (a
 * function, how many of its calls succeed before, and for the former a result, separated by colons: that call fails, or
 * kills the process; a fourth word, for the former, is how many calls fail). A function of memory that has /multicast
 * behind its name counts for multicast objects only; the function multimem is an access by a multicast address.
 * STANDIN_REPORT (a file to which each process that has used multicast adds lines when it ends: standin_multicast.h).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
       INVALID_IMAGE = 200, INVALID_CONTEXT = 201, ALREADY_MAPPED = 208, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600,
       ILLEGAL_ADDRESS = 700, PEER_ACCESS_ALREADY_ENABLED = 704, NOT_SUPPORTED = 801,
       CAPTURE_UNSUPPORTED = 900, CAPTURE_INVALIDATED = 901, CAPTURE_ISOLATION = 905, CAPTURED_EVENT = 907 };

/* What is counted. */
enum { CONTEXTS, HANDLES, RANGES, MAPPINGS, PINNED, STREAMS, EVENTS, GRAPHS, EXECUTABLES, MODULES, ALLOCATIONS, OPENED, BINDINGS, KINDS };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long live[KINDS];
static int initialized;
static char failing[64];
static int failure;
static int passing; /* how many calls of it succeed before */
static int lasting = 1; /* how many fail then */
static long failed; /* how many have failed so */
static int unready; /* how often each query says that the work has not ended */

static void count(int kind, int change) {
    __atomic_add_fetch(&live[kind], change, __ATOMIC_SEQ_CST);
}

static void release_forgotten(void);

/* A driver frees what no process holds any more, without a call. */
long standin_live(int kind) {
    release_forgotten();
    return kind < KINDS ? __atomic_load_n(&live[kind], __ATOMIC_SEQ_CST) : -1;
}

/* A call of the function fails, after so many that do not; 0 as the result: none does. */
void standin_fail(const char *function, int passes, int result) {
    snprintf(failing, sizeof failing, "%s", function);
    passing = passes;
    lasting = 1;
    failure = result;
}

/* How many calls of this process have failed because that was wanted. */
long standin_failed(void) {
    return __atomic_load_n(&failed, __ATOMIC_SEQ_CST);
}

static char killing[64];
static int living; /* how many calls of it succeed before */

/* A call of the function kills the process, after so many that do not. */
void standin_kill(const char *function, int passes) {
    snprintf(killing, sizeof killing, "%s", function);
    living = passes;
}

/* From now on every query of a stream says so many times more that work has not ended; negative: for ever. */
void standin_unready(int times) {
    unready = times;
}

static int setting(const char *name, int otherwise) {
    const char *value = getenv(name);
    return value ? atoi(value) : otherwise;
}

/* What tests of several processes want of one, before it does anything. */
__attribute__((constructor)) static void read_faults(void) {
    char function[64];
    int passes = 0, result = 0, times = 1;
    const char *fails = getenv("STANDIN_FAIL"), *kills = getenv("STANDIN_KILL");
    if (fails && sscanf(fails, "%63[^:]:%d:%d:%d", function, &passes, &result, &times) >= 3) {
        standin_fail(function, passes, result);
        lasting = times;
    }
    if (kills && sscanf(kills, "%63[^:]:%d", function, &passes) == 2) {
        standin_kill(function, passes);
    }
}

/* What a test wants of a call of the function: 0, or the result with which it fails; or the process ends here. */
static int injected(const char *function) {
    if (killing[0] && !strcmp(killing, function) && living-- <= 0) {
        raise(SIGKILL);
    }
    int result = 0;
    if (failure && !strcmp(failing, function) && passing-- <= 0) {
        result = failure;
        failure = --lasting > 0 ? failure : 0;
        __atomic_add_fetch(&failed, 1, __ATOMIC_SEQ_CST);
    }
    return result;
}

#define INJECTED_AS(function) \
    do { \
        int injection = injected(function); \
        if (injection) { \
            return injection; \
        } \
    } while (0)

#define INJECTED() INJECTED_AS(__func__)

#define MOST_DEVICES 64

/* Contexts: one a device; the handle is the number of the device plus 4096. */
#define CONTEXT_BASE 4096
static __thread uint64_t current;
static long retained[MOST_DEVICES];
static int peers[MOST_DEVICES][MOST_DEVICES]; /* whose memory of cuMemAlloc a device may access */

/*
 * What the driver does only while no kernel of the context is on the GPU, and keeps launches out meanwhile. Whoever launches counts himself in, unless somebody is or
 * wants to be alone.
 */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_opens = PTHREAD_COND_INITIALIZER;
static int alone[MOST_DEVICES];
static int launching[MOST_DEVICES];

static int has_kernels(uint64_t context);

static void begin_alone(void) {
    int device = (int) (current - CONTEXT_BASE);
    pthread_mutex_lock(&gate);
    while (alone[device]) {
        pthread_cond_wait(&gate_opens, &gate);
    }
    alone[device] = 1;
    while (launching[device]) {
        pthread_cond_wait(&gate_opens, &gate);
    }
    pthread_mutex_unlock(&gate);
    while (has_kernels(current)) {
        usleep(20);
    }
}

static void end_alone(void) {
    pthread_mutex_lock(&gate);
    alone[current - CONTEXT_BASE] = 0;
    pthread_cond_broadcast(&gate_opens);
    pthread_mutex_unlock(&gate);
}

static void begin_launching(void) {
    int device = (int) (current - CONTEXT_BASE);
    pthread_mutex_lock(&gate);
    while (alone[device]) {
        pthread_cond_wait(&gate_opens, &gate);
    }
    launching[device]++;
    pthread_mutex_unlock(&gate);
}

static void end_launching(void) {
    pthread_mutex_lock(&gate);
    launching[current - CONTEXT_BASE]--;
    pthread_cond_broadcast(&gate_opens);
    pthread_mutex_unlock(&gate);
}

/* What every call in a device's context says since a kernel there has faulted; 0 if none has. */
static int faults[MOST_DEVICES];

/*
 * A kernel of the device has faulted, or the device has: from now on every call in its context says so, and its kernels, which have not ended, never do. Contexts that
 * are made anew are whole.
 */
void standin_fault(int device, int result) {
    __atomic_store_n(&faults[device], result, __ATOMIC_SEQ_CST);
}

/*
 * Whether the driver keeps the calls in a device's context, and the error of the device that NVML has not reported yet;
 * 0 if there is none.
 */
static int stalled[MOST_DEVICES];
static int xids[MOST_DEVICES];

/* The driver keeps the calls in a device's context from now on, until it is told otherwise. */
void standin_stall(int device, int stalls) {
    __atomic_store_n(&stalled[device], stalls, __ATOMIC_SEQ_CST);
}

/* NVML has an error of a device to tell of, once. */
void standin_xid(int device, int xid) {
    __atomic_store_n(&xids[device], xid, __ATOMIC_SEQ_CST);
}

static void wait_while_stalled(uint64_t context) {
    while (context && __atomic_load_n(&stalled[context - CONTEXT_BASE], __ATOMIC_SEQ_CST)) {
        usleep(1000);
    }
}

static int fault_of(uint64_t context) {
    return context ? __atomic_load_n(&faults[context - CONTEXT_BASE], __ATOMIC_SEQ_CST) : 0;
}

#define IN_CONTEXT() \
    do { \
        INJECTED(); \
        if (!current || !retained[current - CONTEXT_BASE]) { \
            return INVALID_CONTEXT; \
        } \
        wait_while_stalled(current); \
        if (fault_of(current)) { \
            return fault_of(current); \
        } \
    } while (0)

/*
 * Of calls that are unsafe while somebody captures: a thread in the global mode, in which threads begin, may not make them while another captures in that mode, and none
 * but a relaxed one while it captures itself in a mode that is not relaxed. Who does ends these captures.
 */
static int forbidden(void);

#define FORBIDDEN() \
    do { \
        if (forbidden()) { \
            return CAPTURE_UNSUPPORTED; \
        } \
    } while (0)

CUresult cuInit(unsigned flags) {
    int result = setting("STANDIN_INIT", OK);
    if (!result && setting("STANDIN_DEVICES", 2) == 0) {
        result = NO_DEVICE;
    }
    initialized = !result;
    return flags ? INVALID_VALUE : result;
}

CUresult cuDriverGetVersion(int *version) {
    *version = setting("STANDIN_VERSION", 13000);
    return OK;
}

CUresult cuDeviceGetCount(int *devices) {
    int all = setting("STANDIN_DEVICES", 2);
    *devices = all < MOST_DEVICES ? all : MOST_DEVICES;
    return initialized ? OK : NOT_INITIALIZED;
}

CUresult cuGetErrorName(CUresult error, const char **text) {
    switch (error) {
        case INVALID_VALUE: *text = "CUDA_ERROR_INVALID_VALUE"; return OK;
        case OUT_OF_MEMORY: *text = "CUDA_ERROR_OUT_OF_MEMORY"; return OK;
        case NO_DEVICE: *text = "CUDA_ERROR_NO_DEVICE"; return OK;
        case INVALID_IMAGE: *text = "CUDA_ERROR_INVALID_IMAGE"; return OK;
        case INVALID_CONTEXT: *text = "CUDA_ERROR_INVALID_CONTEXT"; return OK;
        case ALREADY_MAPPED: *text = "CUDA_ERROR_ALREADY_MAPPED"; return OK;
        case INVALID_HANDLE: *text = "CUDA_ERROR_INVALID_HANDLE"; return OK;
        case NOT_FOUND: *text = "CUDA_ERROR_NOT_FOUND"; return OK;
        case ILLEGAL_ADDRESS: *text = "CUDA_ERROR_ILLEGAL_ADDRESS"; return OK;
        case INVALID_DEVICE: *text = "CUDA_ERROR_INVALID_DEVICE"; return OK;
        case NOT_SUPPORTED: *text = "CUDA_ERROR_NOT_SUPPORTED"; return OK;
        case 800: *text = "CUDA_ERROR_NOT_PERMITTED"; return OK;
        case 214: *text = "CUDA_ERROR_ECC_UNCORRECTABLE"; return OK;
        case 716: *text = "CUDA_ERROR_MISALIGNED_ADDRESS"; return OK;
        case 719: *text = "CUDA_ERROR_LAUNCH_FAILED"; return OK;
        case 802: *text = "CUDA_ERROR_SYSTEM_NOT_READY"; return OK;
        case CAPTURE_ISOLATION: *text = "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"; return OK;
        case CAPTURE_UNSUPPORTED: *text = "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"; return OK;
        case CAPTURE_INVALIDATED: *text = "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"; return OK;
        case CAPTURED_EVENT: *text = "CUDA_ERROR_CAPTURED_EVENT"; return OK;
        default: return INVALID_VALUE;
    }
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    (void) error;
    *text = "the stand-in says no";
    return OK;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    *device = ordinal;
    return ordinal >= 0 && ordinal < setting("STANDIN_DEVICES", 2) ? OK : INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    (void) device;
    snprintf(name, (size_t) length, "Stand-in");
    return OK;
}

CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice device) {
    snprintf(text, (size_t) length, "0000:%02X:00.0", 0xA0 + device);
    return OK;
}

CUresult cuDeviceGetUuid(unsigned char *uuid, CUdevice device) {
    memset(uuid, 0x5A, 16);
    uuid[15] = (unsigned char) device;
    return OK;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    (void) device;
    switch (attribute) {
        case 10: *value = 32; break; /* threads of a warp */
        case 16: *value = setting("STANDIN_MULTIPROCESSORS", 4); break;
        case 75: *value = setting("STANDIN_ARCHITECTURE", 90) / 10; break; /* compute capability */
        case 76: *value = setting("STANDIN_ARCHITECTURE", 90) % 10; break;
        case 110: *value = 1; break; /* RDMA of virtual memory */
        case 128: *value = 0; break; /* handles of a fabric */
        case 132: *value = setting("STANDIN_MULTICAST", 1) != 0; break;
        default: *value = 1;
    }
    return OK;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    *can = device != peer;
    return OK;
}

static int without_atomics;

/* From now on GPUs have native atomic operations on one another's memory, or not, as over PCIe. */
void standin_without_atomics(int without) {
    without_atomics = without;
}

CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice device, CUdevice peer) {
    (void) attribute;
    *value = device != peer && !without_atomics;
    return OK;
}

CUresult cuDevicePrimaryCtxRetain(uint64_t *context, CUdevice device) {
    INJECTED();
    *context = CONTEXT_BASE + (uint64_t) device;
    retained[device]++;
    count(CONTEXTS, 1);
    return OK;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    if (retained[device] == 0) {
        return INVALID_CONTEXT;
    }
    if (--retained[device] == 0) {
        memset(peers[device], 0, sizeof peers[device]);
    }
    count(CONTEXTS, -1);
    return OK;
}

CUresult cuCtxEnablePeerAccess(uint64_t peer, unsigned flags) {
    IN_CONTEXT();
    if (flags || peer == current || !retained[peer - CONTEXT_BASE]) {
        return INVALID_VALUE;
    }
    int *enabled = &peers[current - CONTEXT_BASE][peer - CONTEXT_BASE];
    CUresult result = *enabled ? PEER_ACCESS_ALREADY_ENABLED : OK;
    *enabled = 1;
    return result;
}

CUresult cuCtxSetCurrent(uint64_t context) {
    INJECTED();
    current = context;
    return OK;
}

CUresult cuCtxGetCurrent(uint64_t *context) {
    *context = current;
    return OK;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    IN_CONTEXT();
    *least = 0;
    *greatest = -5;
    return OK;
}

/* ---- virtual memory ---- */

typedef struct {
    int type, handles, location, ordinal;
    void *windows;
    unsigned char compression, rdma, rest[6];
} Properties;

typedef struct {
    int location, ordinal, flags;
} Access;

typedef struct {
    int descriptor;
    size_t bytes;
    int shareable;
    int references; /* of users and of mappings */
    int ordinal;    /* of whose memory it is; -1: another process has it */
    struct Team *team; /* of a multicast object; NULL: it is memory */
} Handle;

#define DEVICE_BYTES ((size_t) 1 << 36)

static size_t used[MOST_DEVICES]; /* of a device, in bytes */

static void close_team(Handle *handle);
static int is_multicast(int descriptor);
static CUresult open_team(Handle **handle, int descriptor);
static int is_member(const struct Team *team, int device);
static void await_devices(const struct Team *team);

static void drop(Handle *handle) {
    if (__atomic_sub_fetch(&handle->references, 1, __ATOMIC_SEQ_CST) == 0) {
        if (handle->team) {
            close_team(handle);
        }
        close(handle->descriptor);
        if (handle->ordinal >= 0) {
            __atomic_sub_fetch(&used[handle->ordinal], handle->bytes, __ATOMIC_SEQ_CST);
        }
        free(handle);
    }
}

typedef struct Range {
    struct Range *next;
    char *start;
    size_t bytes;
    Handle *mapped;
    int ordinal;
    uint64_t gpus; /* which may access it, a bit each */
} Range;

static Range *ranges;

static Range *range_at(uint64_t address) {
    for (Range *range = ranges; range; range = range->next) {
        if (address >= (uint64_t) range->start && address < (uint64_t) range->start + range->bytes) {
            return range;
        }
    }
    return NULL;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const Properties *properties, int option) {
    IN_CONTEXT();
    *bytes = 2 << 20;
    return properties->type == 1 && option == 1 ? OK : INVALID_VALUE;
}

CUresult cuMemCreate(Handle **handle, size_t bytes, const Properties *properties, unsigned long long flags) {
    IN_CONTEXT();
    if (bytes == 0 || bytes % (2 << 20) || properties->type != 1 || properties->location != 1 || properties->rdma != 1
        || flags) {
        return INVALID_VALUE;
    }
    if (bytes > (size_t) 1 << 40) {
        return OUT_OF_MEMORY;
    }
    Handle *made = calloc(1, sizeof *made);
    made->descriptor = memfd_create("standin", MFD_CLOEXEC);
    made->bytes = bytes;
    made->shareable = properties->handles == 1;
    made->references = 1;
    if (ftruncate(made->descriptor, (off_t) bytes)) {
        return OUT_OF_MEMORY;
    }
    /* Not cleared, as on a GPU; sparse, so only the first and the last page. */
    char dirt[4096];
    memset(dirt, 0xDD, sizeof dirt);
    if (pwrite(made->descriptor, dirt, sizeof dirt, 0) < 0
        || pwrite(made->descriptor, dirt, sizeof dirt, (off_t) (bytes - sizeof dirt)) < 0) {
        return OUT_OF_MEMORY;
    }
    made->ordinal = properties->ordinal;
    __atomic_add_fetch(&used[made->ordinal], bytes, __ATOMIC_SEQ_CST);
    *handle = made;
    count(HANDLES, 1);
    return OK;
}

CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
    IN_CONTEXT();
    *total = DEVICE_BYTES;
    *available = DEVICE_BYTES - __atomic_load_n(&used[current - CONTEXT_BASE], __ATOMIC_SEQ_CST);
    return OK;
}

CUresult cuMemRelease(Handle *handle) {
    IN_CONTEXT();
    if (handle->team) {
        INJECTED_AS("cuMemRelease/multicast");
    }
    drop(handle);
    count(HANDLES, -1);
    return OK;
}

CUresult cuMemAddressReserve(uint64_t *address, size_t bytes, size_t alignment, uint64_t wish, unsigned long long flags) {
    IN_CONTEXT();
    if (bytes % (2 << 20) || alignment || wish || flags) {
        return INVALID_VALUE;
    }
    Range *range = calloc(1, sizeof *range);
    range->bytes = bytes;
    range->start = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range->start == MAP_FAILED) {
        return OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&lock);
    range->next = ranges;
    ranges = range;
    pthread_mutex_unlock(&lock);
    *address = (uint64_t) range->start;
    count(RANGES, 1);
    return OK;
}

CUresult cuMemAddressFree(uint64_t address, size_t bytes) {
    IN_CONTEXT();
    pthread_mutex_lock(&lock);
    for (Range **link = &ranges; *link; link = &(*link)->next) {
        Range *range = *link;
        if ((uint64_t) range->start == address) {
            if (range->bytes != bytes || range->mapped) {
                break;
            }
            *link = range->next;
            pthread_mutex_unlock(&lock);
            munmap(range->start, bytes);
            free(range);
            count(RANGES, -1);
            return OK;
        }
    }
    pthread_mutex_unlock(&lock);
    return INVALID_VALUE;
}

CUresult cuMemMap(uint64_t address, size_t bytes, size_t offset, Handle *handle, unsigned long long flags) {
    IN_CONTEXT();
    if (handle->team) {
        INJECTED_AS("cuMemMap/multicast");
        await_devices(handle->team);
    }
    pthread_mutex_lock(&lock);
    Range *range = range_at(address);
    CUresult result = INVALID_VALUE;
    if (range && !range->mapped && range->bytes == bytes && handle->bytes == bytes && !offset && !flags) {
        if (!handle->team) {
            mmap((void *) address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, handle->descriptor, 0);
        }
        range->mapped = handle;
        range->ordinal = -1;
        range->gpus = 0;
        __atomic_add_fetch(&handle->references, 1, __ATOMIC_SEQ_CST);
        count(MAPPINGS, 1);
        result = OK;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* The descriptor has the memory, but no adapter takes it for a DMA-BUF. */
CUresult cuMemGetHandleForAddressRange(int *descriptor, uint64_t address, size_t bytes, int type, unsigned long long flags) {
    IN_CONTEXT();
    pthread_mutex_lock(&lock);
    Range *range = range_at(address);
    CUresult result = INVALID_VALUE;
    if (range && range->mapped && !range->mapped->team && address % 4096 == 0 && bytes % 4096 == 0 && type == 1 && !flags
        && address + bytes <= (uint64_t) range->start + range->bytes) {
        *descriptor = fcntl(range->mapped->descriptor, F_DUPFD_CLOEXEC, 0);
        result = OK;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuMemSetAccess(uint64_t address, size_t bytes, const Access *access, size_t descriptions) {
    IN_CONTEXT();
    pthread_mutex_lock(&lock);
    Range *range = range_at(address);
    CUresult result = INVALID_VALUE;
    if (range && range->mapped && descriptions == 1 && access->location == 1 && access->flags == 3
        && (!range->mapped->team || is_member(range->mapped->team, access->ordinal))) {
        if (!range->mapped->team) {
            mprotect((void *) address, bytes, PROT_READ | PROT_WRITE);
        }
        if (range->ordinal < 0) {
            range->ordinal = range->mapped->ordinal >= 0 ? range->mapped->ordinal : access->ordinal;
        }
        range->gpus |= 1ull << access->ordinal;
        result = OK;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuMemUnmap(uint64_t address, size_t bytes) {
    IN_CONTEXT();
    pthread_mutex_lock(&lock);
    Range *range = range_at(address);
    int of_team = range && range->mapped && range->mapped->team;
    pthread_mutex_unlock(&lock);
    if (of_team) {
        INJECTED_AS("cuMemUnmap/multicast");
    }
    pthread_mutex_lock(&lock);
    range = range_at(address);
    CUresult result = INVALID_VALUE;
    Handle *mapped = NULL;
    if (range && range->mapped && range->bytes == bytes) {
        mmap((void *) address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        mapped = range->mapped;
        range->mapped = NULL;
        count(MAPPINGS, -1);
        result = OK;
    }
    pthread_mutex_unlock(&lock);
    if (mapped) {
        drop(mapped);
    }
    return result;
}

CUresult cuMemExportToShareableHandle(int *descriptor, Handle *handle, int type, unsigned long long flags) {
    IN_CONTEXT();
    if (type != 1 || flags || !handle->shareable) {
        return INVALID_VALUE;
    }
    if (handle->team) {
        INJECTED_AS("cuMemExportToShareableHandle/multicast");
    }
    *descriptor = dup(handle->descriptor);
    return OK;
}

CUresult cuMemImportFromShareableHandle(Handle **handle, void *descriptor, int type) {
    IN_CONTEXT();
    struct stat status;
    int duplicate = dup((int) (intptr_t) descriptor);
    if (type != 1 || duplicate < 0 || fstat(duplicate, &status)) {
        return INVALID_VALUE;
    }
    if (is_multicast(duplicate)) {
        int result = injected("cuMemImportFromShareableHandle/multicast");
        if (result) {
            close(duplicate);
            return result;
        }
        return open_team(handle, duplicate);
    }
    Handle *made = calloc(1, sizeof *made);
    made->descriptor = duplicate;
    made->bytes = (size_t) status.st_size;
    made->shareable = 1;
    made->references = 1;
    made->ordinal = -1;
    *handle = made;
    count(HANDLES, 1);
    return OK;
}

CUresult cuMemRetainAllocationHandle(Handle **handle, uint64_t address) {
    IN_CONTEXT();
    pthread_mutex_lock(&lock);
    Range *range = range_at(address);
    *handle = range ? range->mapped : NULL;
    if (*handle) {
        __atomic_add_fetch(&(*handle)->references, 1, __ATOMIC_SEQ_CST);
        count(HANDLES, 1);
    }
    pthread_mutex_unlock(&lock);
    return *handle ? OK : INVALID_VALUE;
}

#include "standin_multicast.h"

/* ---- memory of other software: cuMemAlloc and its like, and legacy IPC ---- */

enum { LEGACY, POOL, MANAGED, IMPORTED };

typedef struct Allocation {
    struct Allocation *next;
    char *start;
    size_t bytes;
    int kind, ordinal, descriptor;
    uint64_t id;
    int64_t owner; /* of an imported one, the process; id is the owner's then */
} Allocation;

static Allocation *allocations;
static uint64_t last_allocation;

static Allocation *allocation_at(uint64_t address) {
    for (Allocation *one = allocations; one; one = one->next) {
        if (address >= (uint64_t) one->start && address < (uint64_t) one->start + one->bytes) {
            return one;
        }
    }
    return NULL;
}

/* Maps the file that an allocation is, and lists it. */
static CUresult list(Allocation one, CUdeviceptr *address) {
    Allocation *made = malloc(sizeof *made);
    *made = one;
    made->ordinal = (int) (current - CONTEXT_BASE);
    made->start = mmap(NULL, one.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, one.descriptor, 0);
    if (made->start == MAP_FAILED) {
        free(made);
        return OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&lock);
    made->next = allocations;
    allocations = made;
    pthread_mutex_unlock(&lock);
    *address = (CUdeviceptr) made->start;
    count(one.kind == IMPORTED ? OPENED : ALLOCATIONS, 1);
    return OK;
}

static CUresult allocate(CUdeviceptr *address, size_t bytes, int kind) {
    int descriptor = memfd_create("standin", MFD_CLOEXEC);
    if (bytes == 0 || ftruncate(descriptor, (off_t) bytes)) {
        return INVALID_VALUE;
    }
    uint64_t id = __atomic_add_fetch(&last_allocation, 1, __ATOMIC_SEQ_CST);
    return list((Allocation) {.bytes = bytes, .kind = kind, .descriptor = descriptor, .id = id}, address);
}

static CUresult unlist(CUdeviceptr address, int imported) {
    pthread_mutex_lock(&lock);
    for (Allocation **link = &allocations; *link; link = &(*link)->next) {
        Allocation *one = *link;
        if ((uint64_t) one->start == address && (one->kind == IMPORTED) == imported) {
            *link = one->next;
            pthread_mutex_unlock(&lock);
            munmap(one->start, one->bytes);
            close(one->descriptor);
            free(one);
            count(imported ? OPENED : ALLOCATIONS, -1);
            return OK;
        }
    }
    pthread_mutex_unlock(&lock);
    return INVALID_VALUE;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
    IN_CONTEXT();
    FORBIDDEN();
    return allocate(address, bytes, LEGACY);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, void *stream) {
    IN_CONTEXT();
    (void) stream;
    return allocate(address, bytes, POOL);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
    IN_CONTEXT();
    FORBIDDEN();
    return flags == 1 ? allocate(address, bytes, MANAGED) : INVALID_VALUE;
}

CUresult cuMemFree_v2(CUdeviceptr address) {
    IN_CONTEXT();
    FORBIDDEN();
    begin_alone();
    CUresult result = unlist(address, 0);
    end_alone();
    return result;
}

/* A CUipcMemHandle. */
typedef struct {
    uint64_t magic, id, bytes;
    int64_t process;
    int descriptor, rest[7];
} LegacyHandle;

enum { MAGIC = 0x1e9ac7 };

CUresult cuIpcGetMemHandle(LegacyHandle *handle, CUdeviceptr address) {
    IN_CONTEXT();
    pthread_mutex_lock(&lock);
    Allocation *one = allocation_at(address);
    CUresult result = INVALID_VALUE;
    if (one && one->kind == LEGACY && (CUdeviceptr) one->start == address) {
        *handle = (LegacyHandle) {MAGIC, one->id, one->bytes, getpid(), one->descriptor, {0}};
        result = OK;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* By value, and strict: not in the process that gave it, and not twice. */
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, LegacyHandle handle, unsigned flags) {
    IN_CONTEXT();
    if (flags != 1 || handle.magic != MAGIC) {
        return INVALID_VALUE;
    }
    if (handle.process == getpid()) {
        return INVALID_CONTEXT;
    }
    pthread_mutex_lock(&lock);
    for (Allocation *one = allocations; one; one = one->next) {
        if (one->kind == IMPORTED && one->owner == handle.process && one->id == handle.id
            && one->ordinal == (int) (current - CONTEXT_BASE)) {
            pthread_mutex_unlock(&lock);
            return ALREADY_MAPPED;
        }
    }
    pthread_mutex_unlock(&lock);
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long) handle.process, handle.descriptor);
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        return INVALID_HANDLE;
    }
    return list((Allocation) {.bytes = handle.bytes, .kind = IMPORTED, .descriptor = descriptor, .id = handle.id,
                              .owner = handle.process}, address);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
    IN_CONTEXT();
    return unlist(address, 1);
}

/* Of virtual memory this is what is mapped; here all that was reserved. Memory of another GPU than the current one is not found: so do two H200 with driver
 * 580, at least with memory of cuMemAlloc. */
CUresult cuMemGetAddressRange_v2(CUdeviceptr *start, size_t *bytes, CUdeviceptr address) {
    IN_CONTEXT();
    pthread_mutex_lock(&lock);
    int device = (int) (current - CONTEXT_BASE);
    Range *range = range_at(address);
    Allocation *one = allocation_at(address);
    if ((range && range->mapped && range->ordinal != device) || (one && one->ordinal != device)) {
        range = NULL;
        one = NULL;
    }
    if (range && range->mapped) {
        *start = (CUdeviceptr) range->start;
        *bytes = range->bytes;
    } else if (one) {
        *start = (CUdeviceptr) one->start;
        *bytes = one->bytes;
    }
    pthread_mutex_unlock(&lock);
    return (range && range->mapped) || one ? OK : NOT_FOUND;
}

static CUresult attribute_of_range(void *value, int attribute, const Range *range) {
    switch (attribute) {
        case 1: *(uint64_t *) value = 0; return OK;
        case 2: *(int *) value = 2; return OK;
        case 8: *(char *) value = 0; return OK;
        case 9: *(int *) value = range->ordinal; return OK;
        case 11: *(uint64_t *) value = (uint64_t) range->start; return OK;
        case 12: *(uint64_t *) value = range->bytes; return OK;
        case 14: *(int *) value = range->mapped->shareable; return OK;
        case 17: *(uint64_t *) value = 0; return OK;
        default: return INVALID_VALUE;
    }
}

static CUresult attribute_of_allocation(void *value, int attribute, const Allocation *one) {
    switch (attribute) {
        case 1: *(uint64_t *) value = one->kind == POOL ? 0 : CONTEXT_BASE + (uint64_t) one->ordinal; return OK;
        case 2: *(int *) value = 2; return OK;
        case 7: *(uint64_t *) value = one->id; return OK;
        case 8: *(char *) value = one->kind == MANAGED; return OK;
        case 9: *(int *) value = one->ordinal; return OK;
        case 11: *(uint64_t *) value = (uint64_t) one->start; return OK;
        case 12: *(uint64_t *) value = one->bytes; return OK;
        case 17: *(uint64_t *) value = one->kind == POOL ? 4711 : 0; return OK;
        default: return INVALID_VALUE;
    }
}

CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr address) {
    INJECTED();
    pthread_mutex_lock(&lock);
    Range *range = range_at(address);
    Allocation *one = allocation_at(address);
    CUresult result = range && range->mapped ? attribute_of_range(value, attribute, range)
                      : one                  ? attribute_of_allocation(value, attribute, one)
                                             : INVALID_VALUE;
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- pinned memory ---- */

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
    IN_CONTEXT();
    FORBIDDEN();
    if (flags != 3 || bytes == 0) {
        return INVALID_VALUE;
    }
    *address = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    memset(*address, 0xDD, bytes);
    count(PINNED, 1);
    return OK;
}

CUresult cuMemFreeHost(void *address) {
    IN_CONTEXT();
    FORBIDDEN();
    begin_alone();
    free(address);
    end_alone();
    count(PINNED, -1);
    return OK;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned flags) {
    IN_CONTEXT();
    *device = (CUdeviceptr) host;
    return flags ? INVALID_VALUE : OK;
}

/* ---- streams, events, graphs ---- */

enum { COPY, ZERO, WRITE, LAUNCH, KERNEL, RECORD, AWAIT, HOST };

static double millis_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* A point of a stream. */
typedef struct {
    int reached;
    int references;
    double millis; /* when it was reached */
} Marker;

#define ARGUMENT_WORDS 16

typedef struct {
    int kind;
    uint64_t to, from, bytes;
    int blocks;
    /* Of RECORD and AWAIT; in graphs the number of the record. */
    Marker *marker;
    unsigned long long record;
    /* In graphs: the stream on which it was captured. */
    const struct Stream *branch;
    /* Of KERNEL. Early: it may begin once the kernel before it lets it, and waits itself. */
    int function, threads, begun, early;
    uint64_t context; /* in which it was launched; the null stream has none */
    uint64_t words[ARGUMENT_WORDS];
    /* Of one that is run: with what, and its blocks once it has begun. */
    struct Arguments *arguments;
    struct Grid *grid;
    /* Of HOST: the function and its argument are to and from; its call once it has begun. */
    struct HostCall *host;
} Operation;

typedef struct Graph {
    Operation *operations;
    int count;
    unsigned long long id;
    struct Stream *origin;
    uint64_t context; /* of the stream on which it was captured */
    int mode;         /* of the capture */
    pthread_t thread; /* that captures it */
    struct UserObject *objects[16];
    int objects_count;
    Marker *last; /* behind the last launch of an executable */
    struct Graph *dying;
} Graph;

typedef struct Stream {
    struct Stream *next;
    uint64_t context;
    int pending;
    Graph *capture;
    int broken;
    int worked;    /* has had work */
    int temporary; /* a branch of a graph at work, or destroyed: gone when it is empty */
    /* What has not been carried out. */
    Operation *queue;
    int queued;
} Stream;

static Stream null_stream;

/* Of streams, what is queued in them, and markers. */
static pthread_mutex_t queues = PTHREAD_MUTEX_INITIALIZER;
static Stream *streams = &null_stream;
static Graph *dying; /* executables that are destroyed, and at work */

/* The null stream by its names: 0, CU_STREAM_LEGACY (1), and here also CU_STREAM_PER_THREAD (2). */
static Stream *stream_of(Stream *stream) {
    return (uintptr_t) stream > 2 ? stream : &null_stream;
}

static Marker *hold_marker(Marker *marker) {
    marker->references++;
    return marker;
}

static void drop_marker(Marker *marker) {
    if (marker && --marker->references == 0) {
        free(marker);
    }
}

static void advance(void);

/* ---- kernels that are run ---- */

#define MOST_PARAMETERS 16

/* Where a block's threads meet; those that have returned are not waited for. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t all;
    int present, arrived, any, result;
    unsigned turn;
} Meeting;

/* Of a thread of a kernel, as emulated_device.hpp has it. */
typedef struct {
    unsigned block, blocks, thread, threads;
    int (*meet)(void *meeting, int predicate); /* whether any of the block's threads says so */
    void *meeting;
    void (*fault)(int error); /* does not return */
    void (*await_earlier)(void); /* returns when the kernels before this one on its stream have ended */
    void (*let_next)(void);      /* the next kernel of the stream may begin, if it is early */
    unsigned (*members)(uint64_t address, unsigned bytes, uint64_t *members); /* of a multicast address */
} Place;

typedef void (*Entry)(void **parameters, const Place *place);

/* Copies of parameters, for a launch and its replays. */
typedef struct Arguments {
    int references, count;
    Entry entry;
    void *parameters[MOST_PARAMETERS];
} Arguments;

/* The threads of a launch at work. With the lock. */
typedef struct Grid {
    int blocks, threads, left, started; /* left: threads that have not ended */
    int gated;      /* the kernel before it has not ended */
    int letting;    /* threads that let the next kernel begin, or have ended without */
    uint64_t context;
    Arguments *arguments;
    Meeting *meetings; /* of each block */
} Grid;

static pthread_cond_t gates_open = PTHREAD_COND_INITIALIZER;

static Arguments *hold_arguments(Arguments *arguments) {
    if (arguments) {
        __atomic_add_fetch(&arguments->references, 1, __ATOMIC_RELAXED);
    }
    return arguments;
}

static void drop_arguments(Arguments *arguments) {
    if (arguments && __atomic_sub_fetch(&arguments->references, 1, __ATOMIC_ACQ_REL) == 0) {
        for (int i = 0; i < arguments->count; i++) {
            free(arguments->parameters[i]);
        }
        free(arguments);
    }
}

/* With its lock. */
static void all_have_met(Meeting *meeting) {
    meeting->result = meeting->any;
    meeting->any = 0;
    meeting->arrived = 0;
    meeting->turn++;
    pthread_cond_broadcast(&meeting->all);
}

static int meet(void *where, int predicate) {
    Meeting *meeting = where;
    pthread_mutex_lock(&meeting->lock);
    meeting->any |= predicate != 0;
    if (++meeting->arrived == meeting->present) {
        all_have_met(meeting);
    } else {
        for (unsigned turn = meeting->turn; turn == meeting->turn;) {
            pthread_cond_wait(&meeting->all, &meeting->lock);
        }
    }
    int result = meeting->result; /* the next turn ends after this thread has come again */
    pthread_mutex_unlock(&meeting->lock);
    return result;
}

static void leave(Meeting *meeting) {
    pthread_mutex_lock(&meeting->lock);
    if (--meeting->present == meeting->arrived && meeting->arrived) {
        all_have_met(meeting);
    }
    pthread_mutex_unlock(&meeting->lock);
}

static __thread Grid *own_grid;
static __thread int has_let_next;

/* With the lock of the queues, as the two functions that follow take it. */
static void let_next_with_lock(void) {
    if (!has_let_next) {
        has_let_next = 1;
        if (++own_grid->letting == own_grid->blocks * own_grid->threads) {
            advance();
        }
    }
}

/* Behind its own wait only: otherwise kernels of three launches could be on the GPU at once. */
static void let_next(void) {
    pthread_mutex_lock(&queues);
    if (own_grid->gated) {
        fprintf(stderr,
                "stand-in driver: a kernel lets the next one begin before it has waited for the one before it\n");
        abort();
    }
    let_next_with_lock();
    pthread_mutex_unlock(&queues);
}

static void await_earlier(void) {
    pthread_mutex_lock(&queues);
    while (own_grid->gated) {
        pthread_cond_wait(&gates_open, &queues);
    }
    pthread_mutex_unlock(&queues);
}

/* A thread of a kernel faults: it ends, and the kernel never does. */
static void fault_here(int error) {
    standin_fault((int) (own_grid->context - CONTEXT_BASE), error);
    pthread_exit(NULL);
}

static unsigned members_here(uint64_t address, unsigned bytes, uint64_t *members) {
    unsigned found = multicast_members((int) (own_grid->context - CONTEXT_BASE), address, bytes, members);
    if (!found) {
        fault_here(ILLEGAL_ADDRESS);
    }
    return found;
}

static void *run_thread(void *argument) {
    Grid *grid = argument;
    own_grid = grid;
    pthread_mutex_lock(&queues);
    int number = grid->started++;
    pthread_mutex_unlock(&queues);
    Meeting *meeting = &grid->meetings[number / grid->threads];
    Place place = {(unsigned) (number / grid->threads), (unsigned) grid->blocks, (unsigned) (number % grid->threads),
                   (unsigned) grid->threads, meet, meeting, fault_here, await_earlier, let_next, members_here};
    grid->arguments->entry(grid->arguments->parameters, &place);
    leave(meeting);
    pthread_mutex_lock(&queues);
    if (grid->gated) {
        fprintf(stderr, "stand-in driver: a kernel that was launched early did not wait for the one before it\n");
        abort();
    }
    if (--grid->left == 0) {
        advance(); /* frees it */
    } else {
        let_next_with_lock();
    }
    pthread_mutex_unlock(&queues);
    return NULL;
}

/* With the lock, which each thread takes before it does anything. */
static Grid *begin_grid(Arguments *arguments, uint64_t context, int blocks, int threads, int gated) {
    int most = setting("EMULATED_THREADS", 1);
    Grid *grid = malloc(sizeof *grid);
    *grid = (Grid) {blocks, threads < most ? threads : most, 0, 0, gated, 0, context, arguments,
                    calloc((size_t) blocks, sizeof(Meeting))};
    grid->left = grid->blocks * grid->threads;
    for (int i = 0; i < blocks; i++) {
        pthread_mutex_init(&grid->meetings[i].lock, NULL);
        pthread_cond_init(&grid->meetings[i].all, NULL);
        grid->meetings[i].present = grid->threads;
    }
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&detached, 1 << 18);
    for (int i = grid->left; i > 0; i--) {
        pthread_t thread;
        if (pthread_create(&thread, &detached, run_thread, grid)) {
            fprintf(stderr, "stand-in driver: no thread for a kernel of %d blocks\n", blocks);
            abort();
        }
    }
    pthread_attr_destroy(&detached);
    return grid;
}

static void end_grid(Grid *grid) {
    drop_arguments(grid->arguments);
    free(grid->meetings);
    free(grid);
}

/* ---- functions of the host ---- */

typedef struct HostCall {
    void (*function)(void *);
    void *argument;
    int ended; /* with the lock */
} HostCall;

static void *run_host_call(void *argument) {
    HostCall *call = argument;
    call->function(call->argument);
    pthread_mutex_lock(&queues);
    call->ended = 1;
    advance();
    pthread_mutex_unlock(&queues);
    return NULL;
}

/* With the lock. As on a GPU, the function is called by a thread of the driver, which has no context. */
static HostCall *begin_host_call(uint64_t function, uint64_t argument) {
    HostCall *call = malloc(sizeof *call);
    *call = (HostCall) {(void (*)(void *)) function, (void *) argument, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_host_call, call)) {
        fprintf(stderr, "stand-in driver: no thread for a function of the host\n");
        abort();
    }
    pthread_detach(thread);
    return call;
}

/* ---- kernels of plans: the structures of the device library that they are given ---- */

enum { ADD, RUN, SCALE, SPIN, FUNCTIONS, EMULATED };

typedef struct {
    uint32_t flag, left;
    uint64_t ended, begun, trace;
} BlockState;

typedef struct {
    BlockState *blocks;
    uint32_t *abort_word;
    uint64_t *counters, *finished, number, round_shift, table, meeting, scratch, scratch_bytes, peers, *running;
    uint32_t block_count, meets;
    uint64_t semaphores, leavers, semaphore_count;
} LaunchHeader;

typedef struct {
    uint64_t from, to, elements, factor, multiple, *finished, number;
    BlockState *state;
    uint64_t factor_address, *running;
    uint32_t *abort_word;
    uint64_t *scaling; /* the sum of the blocks that have not done their part */
} ScaleArguments;

_Static_assert(sizeof(LaunchHeader) == 8 * ARGUMENT_WORDS, "as the host has it");
_Static_assert(sizeof(ScaleArguments) == 96, "as the host has it");

enum { STARTED = 0, FINISHED = 16, OVERLAP = 2 };

/* A number of launches that are replayed: blocks write twice the number of their launches when they begin, and one more when they end. */
#define REPLAY UINT64_MAX

/* A kernel that has begun. */
typedef struct {
    int function, blocks, threads, early;
    uint64_t stream, words[ARGUMENT_WORDS];
} Note;

#define MOST_NOTES 4096

static Note notes[MOST_NOTES];
static long noted;
static int holding; /* 1: kernels that may wait; 2: those that scale, too */
static int permits; /* how many kernels that are held may end */

static void note(const Operation *operation, const Stream *stream) {
    Note *place = &notes[noted++ % MOST_NOTES];
    *place = (Note) {operation->function, operation->blocks, operation->threads, operation->early,
                     stream == &null_stream ? 0 : (uint64_t) stream, {0}};
    memcpy(place->words, operation->words, sizeof place->words);
}

static void say(uint64_t *finished, uint64_t number, int block) {
    if (number) {
        __atomic_store_n(finished + block, number, __ATOMIC_RELEASE);
    }
}

/* What blocks do when they begin. Those that have left an earlier launch end here. */
static void begin_run(const LaunchHeader *header, int blocks) {
    int overlaps = 0;
    if (header->blocks[0].left == 0) {
        overlaps = __atomic_exchange_n(header->running, 1, __ATOMIC_SEQ_CST) != 0;
    }
    for (int block = 0; block < blocks; block++) {
        BlockState *state = header->blocks + block;
        if (state->left) {
            if (header->number != REPLAY) {
                say(header->finished, header->number, block);
            }
            continue;
        }
        if (overlaps || state->begun != state->ended) {
            __atomic_store_n(header->abort_word, OVERLAP, __ATOMIC_SEQ_CST);
        }
        state->begun = state->ended + 1;
        if (header->number == REPLAY) {
            say(header->finished, 2 * state->begun, block);
        }
        if (block == 0) {
            header->counters[STARTED] = state->begun;
        }
    }
}

static int is_at_work(const LaunchHeader *header, int blocks) {
    for (int block = 0; block < blocks; block++) {
        if (header->blocks[block].begun != header->blocks[block].ended) {
            return 1;
        }
    }
    return 0;
}

/* What blocks do when they end. All of them wait, so that they leave once the communicator is aborted. */
static void end_run(const LaunchHeader *header, int blocks) {
    int leaves = __atomic_load_n(header->abort_word, __ATOMIC_ACQUIRE) != 0;
    for (int block = 0; block < blocks; block++) {
        BlockState *state = header->blocks + block;
        if (state->begun == state->ended) {
            continue;
        }
        if (leaves) {
            state->left = 1;
        }
        if (block == 0) {
            header->counters[FINISHED] = state->begun;
            __atomic_store_n(header->running, 0, __ATOMIC_SEQ_CST);
        }
        state->flag = state->flag == UINT32_MAX ? 1 : state->flag + 1;
        state->ended = state->begun;
        say(header->finished, header->number == REPLAY ? 2 * state->ended + 1 : header->number, block);
    }
}

static void begin_scale(const ScaleArguments *arguments, int blocks) {
    __atomic_add_fetch(arguments->scaling, blocks, __ATOMIC_SEQ_CST);
    if (arguments->state->left == 0 && __atomic_exchange_n(arguments->running, 1, __ATOMIC_SEQ_CST) != 0) {
        __atomic_store_n(arguments->abort_word, OVERLAP, __ATOMIC_SEQ_CST);
    }
}

static void end_scale(const ScaleArguments *arguments, int blocks) {
    if (__atomic_sub_fetch(arguments->scaling, blocks, __ATOMIC_SEQ_CST) == 0) {
        __atomic_store_n(arguments->running, 0, __ATOMIC_SEQ_CST);
    }
    for (int block = 0; block < blocks; block++) {
        say(arguments->finished, arguments->number, block);
    }
}

/* Whether a kernel ends now; it has begun. */
static int may_end(const Operation *operation) {
    const LaunchHeader *header = (const LaunchHeader *) operation->words;
    int waits = operation->function == RUN ? is_at_work(header, operation->blocks)
                                           : operation->function == SPIN || (operation->function == SCALE && holding == 2);
    if (!holding || !waits || (operation->function == RUN && __atomic_load_n(header->abort_word, __ATOMIC_ACQUIRE))) {
        return 1;
    }
    if (permits == 0) {
        return 0;
    }
    permits--;
    return 1;
}

static void end_kernel(const Operation *operation) {
    if (operation->function == RUN) {
        end_run((const LaunchHeader *) operation->words, operation->blocks);
    } else if (operation->function == SCALE) {
        end_scale((const ScaleArguments *) operation->words, operation->blocks);
    }
}

/* Carries out an operation, or begins to; whether it has ended. */
static int carry_out(Operation *operation, const Stream *stream) {
    switch (operation->kind) {
        case COPY: memmove((void *) operation->to, (void *) operation->from, operation->bytes); break;
        case ZERO: memset((void *) operation->to, 0, operation->bytes); break;
        case WRITE: __atomic_store_n((uint64_t *) operation->to, operation->from, __ATOMIC_RELEASE); break;
        case LAUNCH: __atomic_add_fetch((int *) operation->to, (int) operation->from * operation->blocks, __ATOMIC_SEQ_CST); break;
        case KERNEL:
            if (!operation->begun) {
                operation->begun = 1;
                note(operation, stream);
                if (operation->function == EMULATED) {
                    operation->grid = begin_grid(operation->arguments, operation->context, operation->blocks,
                                                 operation->threads, 0);
                } else if (operation->function == RUN) {
                    begin_run((const LaunchHeader *) operation->words, operation->blocks);
                } else if (operation->function == SCALE) {
                    begin_scale((const ScaleArguments *) operation->words, operation->blocks);
                }
            }
            if (operation->function == EMULATED) {
                if (operation->grid->gated) {
                    operation->grid->gated = 0;
                    pthread_cond_broadcast(&gates_open);
                }
                if (operation->grid->left > 0) {
                    return 0;
                }
                end_grid(operation->grid);
                break;
            }
            if (!may_end(operation)) {
                return 0;
            }
            end_kernel(operation);
            break;
        case HOST:
            if (!operation->host) {
                operation->host = begin_host_call(operation->to, operation->from);
            }
            if (!operation->host->ended) {
                return 0;
            }
            free(operation->host);
            break;
        case RECORD:
            operation->marker->reached = 1;
            operation->marker->millis = millis_now();
            drop_marker(operation->marker);
            break;
        case AWAIT:
            if (!operation->marker->reached) {
                return 0;
            }
            drop_marker(operation->marker);
    }
    return 1;
}

static void free_graph(Graph *graph);

/* Begins the second operation of a stream if it is an early kernel, and if the first is a kernel that lets it. */
static void begin_early(Stream *stream) {
    if (stream->queued < 2) {
        return;
    }
    const Operation *first = &stream->queue[0];
    Operation *next = &stream->queue[1];
    if (first->kind == KERNEL && first->function == EMULATED && first->begun && next->kind == KERNEL && next->early && !next->begun
        && first->grid->letting == first->grid->blocks * first->grid->threads) {
        next->begun = 1;
        note(next, stream);
        next->grid = begin_grid(next->arguments, next->context, next->blocks, next->threads, 1);
    }
}

/* Carries out whatever can be. With the lock. */
static void advance(void) {
    int progress = 1;
    while (progress) {
        progress = 0;
        for (Stream *stream = streams; stream; stream = stream->next) {
            int done = 0;
            if (stream->context && fault_of(stream->context)) {
                continue; /* nothing goes on there */
            }
            while (done < stream->queued && carry_out(&stream->queue[done], stream)) {
                done++;
            }
            stream->queued -= done;
            memmove(stream->queue, stream->queue + done, (size_t) stream->queued * sizeof *stream->queue);
            begin_early(stream);
            progress |= done > 0;
        }
    }
    for (Stream **link = &streams; *link;) {
        Stream *stream = *link;
        if (stream->temporary && stream->queued == 0) {
            *link = stream->next;
            free(stream->queue);
            free(stream);
        } else {
            link = &stream->next;
        }
    }
    for (Graph **link = &dying; *link;) {
        Graph *graph = *link;
        if (graph->last->reached) {
            *link = graph->dying;
            drop_marker(graph->last);
            free_graph(graph);
        } else {
            link = &graph->dying;
        }
    }
}

/* From now on kernels that may wait end only when they are told to; 2: those that scale, too; 0: all end. */
void standin_hold(int hold) {
    pthread_mutex_lock(&queues);
    holding = hold;
    permits = 0;
    advance();
    pthread_mutex_unlock(&queues);
}

/* Lets so many more kernels that are held end, in the order of their streams, and carries out what can be carried out then. */
void standin_release(int kernels) {
    pthread_mutex_lock(&queues);
    permits += kernels;
    advance();
    permits = 0;
    pthread_mutex_unlock(&queues);
}

/* How many kernels have begun since that was forgotten. */
long standin_launches(void) {
    pthread_mutex_lock(&queues);
    long known = noted;
    pthread_mutex_unlock(&queues);
    return known;
}

/* One of them: function, blocks, threads, stream, whether it may begin early, and the first words of its arguments; of one that is run there are none. */
int standin_launch(long index, uint64_t *words) {
    pthread_mutex_lock(&queues);
    int known = index >= 0 && index < noted && index >= noted - MOST_NOTES;
    if (known) {
        const Note *one = &notes[index % MOST_NOTES];
        words[0] = (uint64_t) one->function;
        words[1] = (uint64_t) one->blocks;
        words[2] = (uint64_t) one->threads;
        words[3] = one->stream;
        words[4] = (uint64_t) one->early;
        memcpy(words + 5, one->words, sizeof one->words);
    }
    pthread_mutex_unlock(&queues);
    return known;
}

void standin_forget_launches(void) {
    pthread_mutex_lock(&queues);
    noted = 0;
    pthread_mutex_unlock(&queues);
}

/* Whether a kernel of a context has been enqueued, and has not ended. */
static int has_kernels(uint64_t context) {
    int found = 0;
    pthread_mutex_lock(&queues);
    advance();
    for (const Stream *stream = streams; stream; stream = stream->next) {
        for (int i = 0; i < stream->queued && !found && stream->context == context; i++) {
            found = stream->queue[i].kind == KERNEL;
        }
    }
    pthread_mutex_unlock(&queues);
    return found;
}

/* ---- streams again ---- */

/* A device sees memory only if it was allowed to, but for what it has of cuMemAlloc. Only multimem instructions access multicast addresses. */
static int accessible(uint64_t address) {
    pthread_mutex_lock(&lock);
    Allocation *one = allocation_at(address);
    Range *range = range_at(address);
    int device = (int) (current - CONTEXT_BASE);
    int result = range && range->mapped ? !range->mapped->team && range->gpus >> device & 1
                                        : !one || one->ordinal == device || peers[device][one->ordinal];
    pthread_mutex_unlock(&lock);
    return result;
}

/* With the lock. */
static void push(Stream *stream, Operation operation) {
    stream->queue = realloc(stream->queue, (size_t) (stream->queued + 1) * sizeof operation);
    stream->queue[stream->queued++] = operation;
}

static void capture(const Stream *stream, Operation operation) {
    Graph *graph = stream->capture;
    operation.branch = stream;
    graph->operations = realloc(graph->operations, (size_t) (graph->count + 1) * sizeof operation);
    graph->operations[graph->count++] = operation;
}

static int is_of(const Stream *stream, uint64_t context) {
    return stream == &null_stream || stream->context == context;
}

static int first_micros; /* how long the first work of a stream takes to enqueue */
static int first_now;    /* streams that get theirs now */
static long first_met;   /* how often one has met another there, which on a GPU would give both the same place */

/* From now on the first work of each stream takes so many microseconds to enqueue. */
void standin_first_work(int micros) {
    first_micros = micros;
    first_met = 0;
}

long standin_first_met(void) {
    return __atomic_load_n(&first_met, __ATOMIC_SEQ_CST);
}

static void work(Stream *stream) {
    if (!__atomic_exchange_n(&stream->worked, 1, __ATOMIC_SEQ_CST) && first_micros) {
        if (__atomic_add_fetch(&first_now, 1, __ATOMIC_SEQ_CST) > 1) {
            __atomic_add_fetch(&first_met, 1, __ATOMIC_SEQ_CST);
        }
        usleep((useconds_t) first_micros);
        __atomic_sub_fetch(&first_now, 1, __ATOMIC_SEQ_CST);
    }
}

static CUresult enqueue(Stream *handle, Operation operation) {
    Stream *stream = stream_of(handle);
    if (!accessible(operation.to) || (operation.kind == COPY && !accessible(operation.from))) {
        return ILLEGAL_ADDRESS;
    }
    if (stream->capture) {
        capture(stream, operation);
    } else {
        work(stream);
        pthread_mutex_lock(&queues);
        push(stream, operation);
        advance();
        stream->pending = unready;
        pthread_mutex_unlock(&queues);
    }
    return OK;
}

static int last_priority;

/* The priority of the stream that was made last. */
int standin_priority(void) {
    return last_priority;
}

CUresult cuStreamCreateWithPriority(Stream **stream, unsigned flags, int priority) {
    IN_CONTEXT();
    if (flags != 1 || priority > 0 || priority < -5) {
        return INVALID_VALUE;
    }
    last_priority = priority;
    *stream = calloc(1, sizeof **stream);
    (*stream)->context = current;
    pthread_mutex_lock(&queues);
    (*stream)->next = streams;
    streams = *stream;
    pthread_mutex_unlock(&queues);
    count(STREAMS, 1);
    return OK;
}

CUresult cuStreamDestroy_v2(Stream *stream) {
    IN_CONTEXT();
    pthread_mutex_lock(&queues);
    stream->temporary = 1; /* its work goes on */
    advance();
    pthread_mutex_unlock(&queues);
    count(STREAMS, -1);
    return OK;
}

/* What a test wants to hear of a stream's work. */
static CUresult readiness(Stream *stream) {
    if (unready < 0) {
        return NOT_READY;
    }
    return stream->pending > 0 && stream->pending-- ? NOT_READY : OK;
}

CUresult cuStreamQuery(Stream *handle) {
    IN_CONTEXT();
    FORBIDDEN();
    Stream *stream = stream_of(handle);
    pthread_mutex_lock(&queues);
    advance();
    stream->broken |= stream->capture != NULL;
    CUresult result = stream->capture ? CAPTURE_UNSUPPORTED : stream->queued > 0 ? NOT_READY : readiness(stream);
    pthread_mutex_unlock(&queues);
    return result;
}

CUresult cuStreamGetCtx(Stream *stream, uint64_t *context) {
    *context = stream_of(stream) == &null_stream ? current : stream->context;
    return OK;
}

CUresult cuStreamWriteValue64_v2(Stream *stream, CUdeviceptr address, uint64_t value, unsigned flags) {
    IN_CONTEXT();
    return flags || address % 8 ? INVALID_VALUE : enqueue(stream, (Operation) {.kind = WRITE, .to = address, .from = value, .bytes = 8});
}

/* A function of the host, which what follows on the stream waits for. In a graph each launch calls it. */
CUresult cuLaunchHostFunc(Stream *handle, void (*function)(void *), void *argument) {
    IN_CONTEXT();
    if (!function) {
        return INVALID_VALUE;
    }
    Stream *stream = stream_of(handle);
    Operation operation = {.kind = HOST, .to = (uint64_t) function, .from = (uint64_t) argument};
    if (stream->capture) {
        capture(stream, operation);
        return OK;
    }
    work(stream);
    pthread_mutex_lock(&queues);
    push(stream, operation);
    advance();
    stream->pending = unready;
    pthread_mutex_unlock(&queues);
    return OK;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, Stream *stream) {
    IN_CONTEXT();
    return enqueue(stream, (Operation) {.kind = COPY, .to = to, .from = from, .bytes = bytes});
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, Stream *stream) {
    IN_CONTEXT();
    return enqueue(stream, (Operation) {.kind = COPY, .to = (uint64_t) to, .from = from, .bytes = bytes});
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, Stream *stream) {
    IN_CONTEXT();
    return enqueue(stream, (Operation) {.kind = COPY, .to = to, .from = (uint64_t) from, .bytes = bytes});
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, Stream *stream) {
    IN_CONTEXT();
    return value ? INVALID_VALUE : enqueue(stream, (Operation) {.kind = ZERO, .to = to, .from = 0, .bytes = bytes});
}

typedef struct {
    uint64_t context;
    Stream *stream;
    int timed;
    Marker *marker;             /* where it was recorded last, outside of captures */
    unsigned long long capture; /* in which it was recorded last; 0: outside */
    unsigned long long record;  /* the number of that record */
} Event;

static unsigned long long last_record;

CUresult cuEventCreate(Event **event, unsigned flags) {
    IN_CONTEXT();
    *event = calloc(1, sizeof **event);
    (*event)->context = current;
    (*event)->timed = flags == 0;
    count(EVENTS, 1);
    return flags == 0 || flags == 2 ? OK : INVALID_VALUE;
}

CUresult cuEventDestroy_v2(Event *event) {
    IN_CONTEXT();
    pthread_mutex_lock(&queues);
    drop_marker(event->marker);
    pthread_mutex_unlock(&queues);
    free(event);
    count(EVENTS, -1);
    return OK;
}

CUresult cuEventRecord(Event *event, Stream *handle) {
    IN_CONTEXT();
    Stream *stream = stream_of(handle);
    if (!is_of(stream, event->context)) {
        return INVALID_HANDLE;
    }
    pthread_mutex_lock(&queues);
    drop_marker(event->marker);
    event->marker = NULL;
    event->stream = stream;
    event->capture = stream->capture ? stream->capture->id : 0;
    if (stream->capture) {
        event->record = ++last_record;
        capture(stream, (Operation) {.kind = RECORD, .record = event->record});
    } else {
        event->marker = calloc(1, sizeof *event->marker);
        hold_marker(event->marker);
        push(stream, (Operation) {.kind = RECORD, .marker = hold_marker(event->marker)});
        advance();
    }
    pthread_mutex_unlock(&queues);
    return OK;
}

CUresult cuEventQuery(Event *event) {
    IN_CONTEXT();
    FORBIDDEN();
    pthread_mutex_lock(&queues);
    advance();
    CUresult result = event->marker && !event->marker->reached ? NOT_READY : event->stream ? readiness(event->stream) : OK;
    if (event->capture) {
        for (Stream *one = streams; one; one = one->next) {
            one->broken |= one->capture && one->capture->id == event->capture;
        }
        result = CAPTURED_EVENT;
    }
    pthread_mutex_unlock(&queues);
    return result;
}

CUresult cuEventElapsedTime(float *millis, Event *start, Event *end) {
    IN_CONTEXT();
    if (!start->timed || !end->timed || !start->marker || !end->marker) {
        return INVALID_HANDLE;
    }
    pthread_mutex_lock(&queues);
    advance();
    CUresult result = start->marker->reached && end->marker->reached ? OK : NOT_READY;
    if (result == OK) {
        *millis = (float) (end->marker->millis - start->marker->millis);
    }
    pthread_mutex_unlock(&queues);
    return result;
}

/* Of an event of a capture: the stream takes part in that capture from now on. */
CUresult cuStreamWaitEvent(Stream *handle, Event *event, unsigned flags) {
    IN_CONTEXT();
    Stream *stream = stream_of(handle);
    CUresult result = flags ? INVALID_VALUE : OK;
    pthread_mutex_lock(&queues);
    if (event->capture) {
        Stream *captured = streams;
        while (captured && !(captured->capture && captured->capture->id == event->capture)) {
            captured = captured->next;
        }
        if (!captured || (stream->capture && stream->capture != captured->capture)) {
            result = CAPTURE_ISOLATION;
        } else {
            stream->capture = captured->capture;
            capture(stream, (Operation) {.kind = AWAIT, .record = event->record});
        }
    } else if (stream->capture) {
        result = event->marker ? CAPTURE_ISOLATION : result;
    } else if (event->marker) {
        push(stream, (Operation) {.kind = AWAIT, .marker = hold_marker(event->marker)});
        advance();
    }
    pthread_mutex_unlock(&queues);
    return result;
}

enum { GLOBAL, THREAD_LOCAL, RELAXED };

static _Thread_local int capture_mode; /* GLOBAL to begin with */

static int forbidden(void) {
    if (capture_mode == RELAXED) {
        return 0;
    }
    int result = 0;
    pthread_mutex_lock(&queues);
    for (Stream *one = streams; one; one = one->next) {
        if (!one->capture || one->capture->origin != one) {
            continue;
        }
        int mine = pthread_equal(one->capture->thread, pthread_self());
        if (one->capture->mode != RELAXED && (mine || (capture_mode == GLOBAL && one->capture->mode == GLOBAL))) {
            one->broken = 1;
            result = 1;
        }
    }
    pthread_mutex_unlock(&queues);
    return result;
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
    INJECTED();
    int before = capture_mode;
    capture_mode = *mode;
    *mode = before;
    return OK;
}

CUresult cuStreamIsCapturing(Stream *stream, int *status) {
    INJECTED();
    *status = stream_of(stream)->capture != NULL;
    return OK;
}

/*
 * What graphs own: the last graph or executable that does calls the destructor, with the lock of streams if its end was waited for. As on a GPU, a destructor
 * must not call the driver.
 */
typedef struct UserObject {
    void *argument;
    void (*destroy)(void *);
    int references;
} UserObject;

static unsigned long long last_capture;

CUresult cuStreamGetCaptureInfo_v2(Stream *stream, int *status, unsigned long long *id, Graph **graph, void *edges, void *count_of_edges) {
    IN_CONTEXT();
    (void) edges;
    (void) count_of_edges;
    *status = stream->capture != NULL;
    if (stream->capture) {
        *id = stream->capture->id;
        *graph = stream->capture;
    }
    return OK;
}

/* What a driver has that captures early launches. */
CUresult cuStreamGetCaptureInfo_v3(Stream *stream, int *status, unsigned long long *id, Graph **graph, void *nodes,
                                   void *edges, void *count_of_edges) {
    (void) edges;
    return cuStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count_of_edges);
}

CUresult cuUserObjectCreate(UserObject **object, void *argument, void (*destroy)(void *), unsigned references, unsigned flags) {
    IN_CONTEXT();
    if (references != 1 || flags != 1) {
        return INVALID_VALUE;
    }
    *object = calloc(1, sizeof **object);
    **object = (UserObject) {argument, destroy, 1};
    return OK;
}

CUresult cuUserObjectRelease(UserObject *object, unsigned references) {
    if (references != 1) {
        return INVALID_VALUE;
    }
    if (__atomic_sub_fetch(&object->references, 1, __ATOMIC_ACQ_REL) == 0) {
        object->destroy(object->argument);
        free(object);
    }
    return OK;
}

CUresult cuGraphRetainUserObject(Graph *graph, UserObject *object, unsigned references, unsigned flags) {
    IN_CONTEXT();
    if (references != 1 || flags != 1 || graph->objects_count == 16) {
        return INVALID_VALUE;
    }
    graph->objects[graph->objects_count++] = object;
    return OK;
}

CUresult cuStreamBeginCapture_v2(Stream *stream, int mode) {
    IN_CONTEXT();
    if (mode < GLOBAL || mode > RELAXED || !stream || stream->capture) {
        return INVALID_VALUE;
    }
    Graph *graph = calloc(1, sizeof *graph);
    graph->origin = stream;
    graph->context = stream->context;
    graph->mode = mode;
    graph->thread = pthread_self();
    graph->id = __atomic_add_fetch(&last_capture, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&queues);
    stream->capture = graph;
    stream->broken = 0;
    pthread_mutex_unlock(&queues);
    count(GRAPHS, 1);
    return OK;
}

static void free_graph(Graph *graph) {
    for (int i = 0; i < graph->objects_count; i++) {
        cuUserObjectRelease(graph->objects[i], 1);
    }
    for (int i = 0; i < graph->count; i++) {
        drop_arguments(graph->operations[i].arguments);
    }
    free(graph->operations);
    free(graph);
}

CUresult cuStreamEndCapture(Stream *stream, Graph **graph) {
    IN_CONTEXT();
    *graph = stream->capture;
    if (!*graph || (*graph)->origin != stream) {
        return INVALID_VALUE;
    }
    int broken = 0;
    pthread_mutex_lock(&queues);
    for (Stream *one = streams; one; one = one->next) {
        if (one->capture == *graph) {
            one->capture = NULL;
            broken |= one->broken;
            one->broken = 0;
        }
    }
    pthread_mutex_unlock(&queues);
    if (broken) {
        free_graph(*graph);
        *graph = NULL;
        count(GRAPHS, -1);
        return CAPTURE_INVALIDATED;
    }
    return OK;
}

CUresult cuGraphDestroy(Graph *graph) {
    IN_CONTEXT();
    free_graph(graph);
    count(GRAPHS, -1);
    return OK;
}

CUresult cuGraphInstantiateWithFlags(Graph **executable, Graph *graph, unsigned long long flags) {
    IN_CONTEXT();
    Graph *made = calloc(1, sizeof *made);
    made->count = graph->count;
    made->origin = graph->origin;
    made->context = graph->context;
    made->operations = malloc((size_t) (graph->count + 1) * sizeof(Operation));
    if (graph->count) {
        memcpy(made->operations, graph->operations, (size_t) graph->count * sizeof(Operation));
    }
    for (int i = 0; i < made->count; i++) {
        hold_arguments(made->operations[i].arguments);
    }
    memcpy(made->objects, graph->objects, sizeof made->objects);
    made->objects_count = graph->objects_count;
    for (int i = 0; i < made->objects_count; i++) {
        __atomic_add_fetch(&made->objects[i]->references, 1, __ATOMIC_RELAXED);
    }
    *executable = made;
    count(EXECUTABLES, 1);
    return flags ? INVALID_VALUE : OK;
}

CUresult cuGraphUpload(Graph *executable, Stream *stream) {
    IN_CONTEXT();
    return executable && stream ? OK : INVALID_VALUE;
}

/* The stream on which a branch of a graph runs. */
static Stream *stream_of_branch(const Graph *executable, const Stream *branch, Stream *stream, Stream **branches) {
    if (branch == executable->origin) {
        return stream;
    }
    int other = 0;
    for (int i = 0; executable->operations[i].branch != branch; i++) {
        other = i + 1;
    }
    if (!branches[other]) {
        branches[other] = calloc(1, sizeof **branches);
        branches[other]->context = stream->context;
        branches[other]->temporary = 1;
        branches[other]->next = streams;
        streams = branches[other];
    }
    return branches[other];
}

/* After its launch before, on whatever stream that was; its branches side by side. With the lock. */
static void launch_graph(Graph *executable, Stream *stream) {
    Marker **records = calloc((size_t) executable->count + 1, sizeof *records);
    Stream **branches = calloc((size_t) executable->count + 1, sizeof *branches);
    if (executable->last) {
        push(stream, (Operation) {.kind = AWAIT, .marker = executable->last});
    }
    for (int i = 0; i < executable->count; i++) {
        Operation operation = executable->operations[i];
        if (operation.kind == RECORD) {
            records[i] = calloc(1, sizeof **records);
            operation.marker = hold_marker(records[i]);
        } else if (operation.kind == AWAIT) {
            int record = 0;
            while (executable->operations[record].kind != RECORD || executable->operations[record].record != operation.record) {
                record++;
            }
            operation.marker = hold_marker(records[record]);
        }
        hold_arguments(operation.arguments);
        push(stream_of_branch(executable, operation.branch, stream, branches), operation);
    }
    free(records);
    free(branches);
    executable->last = calloc(1, sizeof *executable->last);
    hold_marker(executable->last);
    push(stream, (Operation) {.kind = RECORD, .marker = hold_marker(executable->last)});
    advance();
}

CUresult cuGraphLaunch(Graph *executable, Stream *handle) {
    IN_CONTEXT();
    if (!is_of(stream_of(handle), executable->context)) {
        return INVALID_HANDLE;
    }
    work(stream_of(handle));
    begin_launching();
    pthread_mutex_lock(&queues);
    launch_graph(executable, stream_of(handle));
    stream_of(handle)->pending = unready;
    pthread_mutex_unlock(&queues);
    end_launching();
    return OK;
}

/* What it owns lives until its last launch has ended. */
CUresult cuGraphExecDestroy(Graph *executable) {
    IN_CONTEXT();
    count(EXECUTABLES, -1);
    if (!executable->last) {
        free_graph(executable);
        return OK;
    }
    pthread_mutex_lock(&queues);
    executable->dying = dying;
    dying = executable;
    advance();
    pthread_mutex_unlock(&queues);
    return OK;
}

/*
 * ---- modules: anything that starts with CUBIN; add(int *, int) adds the int once for each block, spin(uint64_t) waits, the others are those of the
 * plan engine ----
 *
 * And EMULATED, the size, and a shared library: what emulated_nvrtc.cpp gives.
 */

typedef struct Function {
    const char *name;
    int argument_bytes; /* of the one argument that is copied; 0: others */
    int parameters;
    size_t sizes[MOST_PARAMETERS], offsets[MOST_PARAMETERS];
    /* Of an emulated one. */
    Entry entry;
    struct Function *next;
} Function;

/* An emulated one. */
typedef struct Module {
    void *library;
    int descriptor; /* open as long as the library is: its name is that of the file */
    Function *functions;
    struct Module *next;
} Module;

static Function functions[FUNCTIONS] = {{"add", 0, 2, {8, 4}, {0, 8}, NULL, NULL},
                                        {"mscclj_run", sizeof(LaunchHeader), 1, {sizeof(LaunchHeader)}, {0}, NULL, NULL},
                                        {"mscclj_scale", sizeof(ScaleArguments), 1, {sizeof(ScaleArguments)}, {0}, NULL, NULL},
                                        {"spin", 8, 1, {8}, {0}, NULL, NULL}};
static Module module; /* of all that are not emulated */

/* Of modules and their functions. */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static Module *modules;

static int is_function(const Function *handle) {
    if (handle >= functions && handle < functions + FUNCTIONS) {
        return 1;
    }
    int found = 0;
    pthread_mutex_lock(&loading);
    for (const Module *one = modules; one; one = one->next) {
        for (const Function *function = one->functions; function; function = function->next) {
            found |= function == handle;
        }
    }
    pthread_mutex_unlock(&loading);
    return found;
}

static int write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written <= 0) {
            return 0;
        }
        bytes += written;
        count -= (size_t) written;
    }
    return 1;
}

static CUresult load_library(Module **handle, const char *image) {
    uint64_t bytes;
    memcpy(&bytes, image + 8, sizeof bytes);
    char name[64];
    int descriptor = memfd_create("emulated", MFD_CLOEXEC);
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    void *library = write_all(descriptor, image + 16, bytes) ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) {
        const char *error = dlerror();
        fprintf(stderr, "stand-in driver: a library of code cannot be loaded: %s\n", error ? error : "no memory");
        close(descriptor);
        return INVALID_IMAGE;
    }
    *handle = malloc(sizeof **handle);
    pthread_mutex_lock(&loading);
    **handle = (Module) {library, descriptor, NULL, modules};
    modules = *handle;
    pthread_mutex_unlock(&loading);
    return OK;
}

CUresult cuModuleLoadData(Module **handle, const void *image) {
    IN_CONTEXT();
    CUresult result = INVALID_IMAGE;
    begin_alone();
    if (!strncmp(image, "EMULATED", 8)) {
        result = load_library(handle, image);
    } else if (!strncmp(image, "CUBIN", 5)) {
        *handle = &module;
        result = OK;
    }
    end_alone();
    count(MODULES, result ? 0 : 1);
    return result;
}

CUresult cuModuleUnload(Module *handle) {
    IN_CONTEXT();
    if (handle != &module) {
        pthread_mutex_lock(&loading);
        Module **link = &modules;
        while (*link && *link != handle) {
            link = &(*link)->next;
        }
        if (!*link) {
            pthread_mutex_unlock(&loading);
            return INVALID_HANDLE;
        }
        *link = handle->next;
        pthread_mutex_unlock(&loading);
        dlclose(handle->library);
        close(handle->descriptor);
        while (handle->functions) {
            Function *function = handle->functions;
            handle->functions = function->next;
            free(function);
        }
        free(handle);
    }
    count(MODULES, -1);
    return OK;
}

/* With the lock of modules. */
static CUresult find_emulated(Function **handle, Module *owner, const char *name) {
    char symbol[256];
    snprintf(symbol, sizeof symbol, "%s_emulated", name);
    Entry entry = (Entry) dlsym(owner->library, symbol);
    snprintf(symbol, sizeof symbol, "%s_parameter", name);
    size_t (*parameter)(size_t, size_t *) = (size_t (*)(size_t, size_t *)) dlsym(owner->library, symbol);
    if (!entry || !parameter) {
        return NOT_FOUND;
    }
    Function *made = calloc(1, sizeof *made);
    made->entry = entry;
    size_t offset = 0;
    for (size_t bytes = parameter(0, &offset); bytes; bytes = parameter((size_t) made->parameters, &offset)) {
        if (made->parameters == MOST_PARAMETERS) {
            free(made);
            return INVALID_IMAGE;
        }
        made->sizes[made->parameters] = bytes;
        made->offsets[made->parameters++] = offset;
    }
    made->next = owner->functions;
    owner->functions = made;
    *handle = made;
    return OK;
}

CUresult cuModuleGetFunction(Function **handle, Module *owner, const char *name) {
    IN_CONTEXT();
    if (owner != &module) {
        pthread_mutex_lock(&loading);
        Module *known = modules;
        while (known && known != owner) {
            known = known->next;
        }
        CUresult result = known ? find_emulated(handle, known, name) : INVALID_HANDLE;
        pthread_mutex_unlock(&loading);
        return result;
    }
    for (*handle = functions; *handle < functions + FUNCTIONS; ++*handle) {
        if (!strcmp((*handle)->name, name)) {
            return OK;
        }
    }
    return NOT_FOUND;
}

CUresult cuFuncLoad(Function *handle) {
    IN_CONTEXT();
    return is_function(handle) ? OK : INVALID_HANDLE;
}

CUresult cuFuncGetParamInfo(Function *handle, size_t index, size_t *offset, size_t *size) {
    IN_CONTEXT();
    if (!is_function(handle) || index >= (size_t) handle->parameters) {
        return INVALID_VALUE;
    }
    *offset = handle->offsets[index];
    *size = handle->sizes[index];
    return OK;
}

CUresult cuFuncGetAttribute(int *value, int attribute, Function *handle) {
    INJECTED();
    *value = attribute == 0 ? 1024 : attribute == 1 ? 16 : attribute == 4 ? 32 : -1;
    return is_function(handle) ? OK : INVALID_HANDLE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *handle, int threads, size_t shared) {
    IN_CONTEXT();
    *blocks = 2048 / threads;
    return is_function(handle) && !shared ? OK : INVALID_VALUE;
}

static Arguments *copy_arguments(const Function *function, void **parameters) {
    Arguments *arguments = malloc(sizeof *arguments);
    *arguments = (Arguments) {1, function->parameters, function->entry, {NULL}};
    for (int i = 0; i < function->parameters; i++) {
        size_t bytes = (function->sizes[i] + 63) / 64 * 64;
        arguments->parameters[i] = aligned_alloc(64, bytes);
        memcpy(arguments->parameters[i], parameters[i], function->sizes[i]);
    }
    return arguments;
}

static CUresult launch(Stream *stream, Operation operation) {
    if (stream_of(stream)->capture) {
        return enqueue(stream, operation);
    }
    begin_launching();
    CUresult result = enqueue(stream, operation);
    end_launching();
    return result;
}

static CUresult launch_kernel(Function *handle, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned threads_y,
                              unsigned threads_z, unsigned shared, Stream *stream, void **parameters, void **extra, int early) {
    if (!is_function(handle) || blocks == 0 || y != 1 || z != 1 || threads_y != 1 || threads_z != 1 || threads > 1024 || shared
        || extra) {
        return INVALID_VALUE;
    }
    if (!is_of(stream_of(stream), current)) {
        return INVALID_HANDLE;
    }
    Operation operation = {.kind = KERNEL, .blocks = (int) blocks, .threads = (int) threads, .early = early, .context = current};
    if (handle->entry) {
        operation.function = EMULATED;
        operation.arguments = copy_arguments(handle, parameters);
        CUresult result = launch(stream, operation);
        if (result) {
            drop_arguments(operation.arguments);
        }
        return result;
    }
    operation.function = (int) (handle - functions);
    if (operation.function == ADD) {
        operation.kind = LAUNCH;
        operation.to = *(uint64_t *) parameters[0];
        operation.from = (uint64_t) (int64_t) *(int *) parameters[1];
        operation.bytes = 4;
    } else {
        memcpy(operation.words, parameters[0], (size_t) handle->argument_bytes);
    }
    return launch(stream, operation);
}

CUresult cuLaunchKernel(Function *handle, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned threads_y,
                        unsigned threads_z, unsigned shared, Stream *stream, void **parameters, void **extra) {
    IN_CONTEXT();
    return launch_kernel(handle, blocks, y, z, threads, threads_y, threads_z, shared, stream, parameters, extra, 0);
}

/* CUlaunchConfig, and the attribute of early launches. */
typedef struct {
    int id, padding;
    union {
        int number;
        char bytes[64];
    } value;
} Attribute;

typedef struct {
    unsigned blocks, y, z, threads, threads_y, threads_z, shared;
    Stream *stream;
    Attribute *attributes;
    unsigned attribute_count;
} Configuration;

CUresult cuLaunchKernelEx(const Configuration *configuration, Function *handle, void **parameters, void **extra) {
    IN_CONTEXT();
    const Attribute *attribute = configuration->attributes;
    if (configuration->attribute_count != 1 || attribute->id != 6 || attribute->value.number != 1) {
        return INVALID_VALUE;
    }
    return launch_kernel(handle, configuration->blocks, configuration->y, configuration->z, configuration->threads, configuration->threads_y,
                         configuration->threads_z, configuration->shared, configuration->stream, parameters, extra, 1);
}

/* NVML's events. The handle of a device is its number plus 1. */

#define NVML_NOT_FOUND 6
#define NVML_TIMEOUT 10

struct nvml_event {
    uint64_t device;
    uint64_t kind;
    uint64_t number;
    uint32_t instances[2];
};

int nvmlInit_v2(void) {
    return OK;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, uint64_t *device) {
    char own[64];
    for (int i = 0; i < setting("STANDIN_DEVICES", 2); i++) {
        snprintf(own, sizeof own, "GPU-5a5a5a5a-5a5a-5a5a-5a5a-5a5a5a5a5a%02x", i);
        if (!strcmp(own, uuid)) {
            *device = (uint64_t) i + 1;
            return OK;
        }
    }
    return NVML_NOT_FOUND;
}

static __thread uint64_t registered; /* a thread has a set, and waits for it itself */

int nvmlEventSetCreate(uint64_t *events) {
    *events = 1;
    return OK;
}

int nvmlDeviceRegisterEvents(uint64_t device, uint64_t kinds, uint64_t events) {
    (void) kinds;
    (void) events;
    registered = device;
    return OK;
}

int nvmlEventSetWait_v2(uint64_t events, struct nvml_event *event, unsigned milliseconds) {
    (void) events;
    for (unsigned waited = 0; waited <= milliseconds; waited++) {
        int xid = __atomic_exchange_n(&xids[registered - 1], 0, __ATOMIC_SEQ_CST);
        if (xid) {
            *event = (struct nvml_event) {registered, 8, (uint64_t) xid, {0, 0}};
            return OK;
        }
        usleep(1000);
    }
    return NVML_TIMEOUT;
}

int nvmlEventSetFree(uint64_t events) {
    (void) events;
    return OK;
}
