/*
 * A libamdhip64 that is CUDA underneath: functions with the names and the ABI of HIP 6 for AMD GPUs, carried out by the CUDA driver and NVRTC. The ROCm
 * backend runs on it on NVIDIA GPUs, and on emulated ones. It has what that backend calls, and neither HIP's nor CUDA's headers are needed to build it.
 *
 * Architectures are those of CUDA (sm_90). Memory of every kind is coherent, as it is on NVIDIA GPUs; the flags with which it was allocated are kept.
 * amd_comgr_get_isa_count and _name are here too: their list has the architectures of the GPUs.
 *
 * Environment: HIP_ON_CUDA_DRIVER and HIP_ON_CUDA_NVRTC, the libraries of CUDA; libcuda.so.1 and libnvrtc.so.13 or .12 where they are not set.
 * HIP_ON_CUDA_FAULTS=abort: a fault of a kernel ends the process, as with ROCm's usual handler, but in the call that would return it.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIP __attribute__((visibility("default")))

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_DEVICE = 101, ILLEGAL_ADDRESS = 700, LAUNCH_FAILURE = 719, NOT_READY = 600,
       NOT_SUPPORTED = 801, UNKNOWN = 999 };

enum { MOST_DEVICES = 64, VERSION = 60300000 };

typedef struct {
    char bytes[64];
} IpcHandle;

/* The driver's functions: name and parameters. All return a CUresult. */
#define DRIVER(F) \
    F(cuInit, (unsigned)) \
    F(cuDeviceGetCount, (int *) ) \
    F(cuGetErrorName, (int, const char **) ) \
    F(cuGetErrorString, (int, const char **) ) \
    F(cuDeviceGet, (int *, int) ) \
    F(cuDeviceGetName, (char *, int, int) ) \
    F(cuDeviceGetPCIBusId, (char *, int, int) ) \
    F(cuDeviceGetUuid, (void *, int) ) \
    F(cuDeviceGetAttribute, (int *, int, int) ) \
    F(cuDeviceCanAccessPeer, (int *, int, int) ) \
    F(cuDeviceGetP2PAttribute, (int *, int, int, int) ) \
    F(cuDevicePrimaryCtxRetain, (void **, int) ) \
    F(cuCtxEnablePeerAccess, (void *, unsigned) ) \
    F(cuCtxSetCurrent, (void *) ) \
    F(cuCtxGetCurrent, (void **) ) \
    F(cuCtxGetStreamPriorityRange, (int *, int *) ) \
    F(cuMemGetInfo_v2, (size_t *, size_t *) ) \
    F(cuMemAlloc_v2, (uint64_t *, size_t) ) \
    F(cuMemFree_v2, (uint64_t) ) \
    F(cuIpcGetMemHandle, (IpcHandle *, uint64_t) ) \
    F(cuIpcOpenMemHandle_v2, (uint64_t *, IpcHandle, unsigned) ) \
    F(cuIpcCloseMemHandle, (uint64_t) ) \
    F(cuMemGetAddressRange_v2, (uint64_t *, size_t *, uint64_t) ) \
    F(cuPointerGetAttribute, (void *, int, uint64_t) ) \
    F(cuMemHostAlloc, (void **, size_t, unsigned) ) \
    F(cuMemFreeHost, (void *) ) \
    F(cuMemHostGetDevicePointer_v2, (uint64_t *, void *, unsigned) ) \
    F(cuStreamCreateWithPriority, (void **, unsigned, int) ) \
    F(cuStreamDestroy_v2, (void *) ) \
    F(cuStreamQuery, (void *) ) \
    F(cuStreamGetCtx, (void *, void **) ) \
    F(cuStreamWaitEvent, (void *, void *, unsigned) ) \
    F(cuStreamWriteValue64_v2, (void *, uint64_t, uint64_t, unsigned) ) \
    F(cuStreamBeginCapture_v2, (void *, int) ) \
    F(cuStreamEndCapture, (void *, void **) ) \
    F(cuStreamIsCapturing, (void *, int *) ) \
    F(cuStreamGetCaptureInfo_v2, (void *, int *, unsigned long long *, void **, void *, void *) ) \
    F(cuThreadExchangeStreamCaptureMode, (int *) ) \
    F(cuMemcpyDtoDAsync_v2, (uint64_t, uint64_t, size_t, void *) ) \
    F(cuMemcpyDtoHAsync_v2, (void *, uint64_t, size_t, void *) ) \
    F(cuMemcpyHtoDAsync_v2, (uint64_t, const void *, size_t, void *) ) \
    F(cuMemsetD8Async, (uint64_t, unsigned char, size_t, void *) ) \
    F(cuEventCreate, (void **, unsigned) ) \
    F(cuEventDestroy_v2, (void *) ) \
    F(cuEventRecord, (void *, void *) ) \
    F(cuEventQuery, (void *) ) \
    F(cuEventElapsedTime, (float *, void *, void *) ) \
    F(cuUserObjectCreate, (void **, void *, void (*)(void *), unsigned, unsigned) ) \
    F(cuUserObjectRelease, (void *, unsigned) ) \
    F(cuGraphRetainUserObject, (void *, void *, unsigned, unsigned) ) \
    F(cuGraphInstantiateWithFlags, (void **, void *, unsigned long long) ) \
    F(cuGraphDestroy, (void *) ) \
    F(cuGraphUpload, (void *, void *) ) \
    F(cuGraphLaunch, (void *, void *) ) \
    F(cuGraphExecDestroy, (void *) ) \
    F(cuModuleLoadData, (void **, const void *) ) \
    F(cuModuleUnload, (void *) ) \
    F(cuModuleGetFunction, (void **, void *, const char *) ) \
    F(cuFuncLoad, (void *) ) \
    F(cuFuncGetParamInfo, (void *, size_t, size_t *, size_t *) ) \
    F(cuFuncGetAttribute, (int *, int, void *) ) \
    F(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, void *, int, size_t) ) \
    F(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **) )

/* NVRTC's functions. */
#define COMPILER(F) \
    F(nvrtcVersion, (int *, int *) ) \
    F(nvrtcCreateProgram, (void **, const char *, const char *, int, const char **, const char **) ) \
    F(nvrtcCompileProgram, (void *, int, const char **) ) \
    F(nvrtcGetProgramLogSize, (void *, size_t *) ) \
    F(nvrtcGetProgramLog, (void *, char *) ) \
    F(nvrtcGetCUBINSize, (void *, size_t *) ) \
    F(nvrtcGetCUBIN, (void *, char *) ) \
    F(nvrtcDestroyProgram, (void **) )

#define DECLARE(name, parameters) static int(*name) parameters;
DRIVER(DECLARE)
COMPILER(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int has_driver, has_compiler, faults_abort;
static void *contexts[MOST_DEVICES];
static __thread int device_of_thread;
static __thread int last;

static void *library(const char *variable, const char *name, const char *other) {
    const char *named = getenv(variable);
    void *found = dlopen(named ? named : name, RTLD_NOW | RTLD_LOCAL);
    return found || named || !other ? found : dlopen(other, RTLD_NOW | RTLD_LOCAL);
}

static void load(void) {
    /* As the CUDA backend asks for: what waits for each other must not share a queue, and code is loaded at once. */
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    void *driver = library("HIP_ON_CUDA_DRIVER", "libcuda.so.1", NULL);
    void *compiler = library("HIP_ON_CUDA_NVRTC", "libnvrtc.so.13", "libnvrtc.so.12");
    const char *faults = getenv("HIP_ON_CUDA_FAULTS");
    faults_abort = faults && !strcmp(faults, "abort");
    has_driver = driver != NULL;
    has_compiler = compiler != NULL;
#define FIND_IN(handle, function) \
    *(void **) &function = dlsym(handle, #function); \
    if (!function) { \
        fprintf(stderr, "hip_on_cuda: there is no %s\n", #function); \
    }
#define FIND_IN_DRIVER(function, parameters) FIND_IN(driver, function)
#define FIND_IN_COMPILER(function, parameters) FIND_IN(compiler, function)
    if (driver) {
        DRIVER(FIND_IN_DRIVER)
    }
    if (compiler) {
        COMPILER(FIND_IN_COMPILER)
    }
}

/* The error of HIP for one of CUDA: most have the same number. HIP has one for all faults of addresses. */
static int noted(int error) {
    switch (error) {
        case 714: case 715: case 716: case 717: case 718: error = ILLEGAL_ADDRESS; break;
        case 220: case 226: case 721: error = UNKNOWN; break;
        default: break;
    }
    if (faults_abort && (error == ILLEGAL_ADDRESS || error == LAUNCH_FAILURE)) {
        fprintf(stderr, "hip_on_cuda: a kernel has faulted (%d)\n", error);
        abort();
    }
    if (error) {
        last = error;
    }
    return error;
}

/* Makes the primary context of a device current. */
static int use(int device) {
    if (device < 0 || device >= MOST_DEVICES || !has_driver) {
        return INVALID_DEVICE;
    }
    if (!contexts[device]) {
        pthread_mutex_lock(&lock);
        int number, result = contexts[device] ? SUCCESS : cuInit(0);
        if (!result && !contexts[device] && !(result = cuDeviceGet(&number, device))) {
            result = cuDevicePrimaryCtxRetain(&contexts[device], number);
        }
        pthread_mutex_unlock(&lock);
        if (result) {
            return result;
        }
    }
    void *current = NULL;
    return !cuCtxGetCurrent(&current) && current == contexts[device] ? SUCCESS : cuCtxSetCurrent(contexts[device]);
}

/* Calls the driver in the context of the thread's device. */
#define CALL(...) \
    do { \
        int used = use(device_of_thread); \
        return noted(used ? used : (__VA_ARGS__)); \
    } while (0)

static int start(void) {
    pthread_once(&once, load);
    return has_driver ? cuInit(0) : NO_DEVICE;
}

HIP int hipInit(unsigned flags) {
    (void) flags;
    return noted(start());
}

HIP int hipRuntimeGetVersion(int *version) {
    *version = VERSION;
    return SUCCESS;
}

HIP int hipGetDeviceCount(int *count) {
    *count = 0;
    int result = start();
    result = result ? result : cuDeviceGetCount(count);
    return noted(result || *count ? result : NO_DEVICE);
}

HIP int hipGetLastError(void) {
    int result = last;
    last = SUCCESS;
    return result;
}

/* The name of CUDA in the form of HIP: hipErrorIllegalAddress for CUDA_ERROR_ILLEGAL_ADDRESS. Most are HIP's own. A name has its place for good. */
HIP const char *hipGetErrorName(int error) {
    static char names[1024][64];
    const char *name = NULL;
    pthread_once(&once, load);
    if (error == LAUNCH_FAILURE) {
        return "hipErrorLaunchFailure";
    }
    if (error < 0 || error >= 1024 || !has_driver || cuGetErrorName(error, &name)) {
        return "hipErrorUnknown";
    }
    char text[64] = "hipError";
    size_t at = strlen(text);
    int starts = 1;
    for (name += strncmp(name, "CUDA_ERROR_", 11) ? 0 : 11; *name && at < sizeof text - 1; name++) {
        if (*name != '_') {
            text[at++] = (char) (starts ? *name : tolower((unsigned char) *name));
        }
        starts = *name == '_';
    }
    pthread_mutex_lock(&lock);
    memcpy(names[error], text, sizeof text);
    pthread_mutex_unlock(&lock);
    return names[error];
}

HIP const char *hipGetErrorString(int error) {
    const char *text = NULL;
    pthread_once(&once, load);
    return has_driver && !cuGetErrorString(error, &text) ? text : "an error that CUDA does not know";
}

HIP int hipSetDevice(int device) {
    int result = use(device);
    if (!result) {
        device_of_thread = device;
    }
    return noted(result);
}

HIP int hipGetDevice(int *device) {
    *device = device_of_thread;
    return SUCCESS;
}

HIP int hipDeviceGetName(char *name, int bytes, int device) {
    return noted(cuDeviceGetName(name, bytes, device));
}

HIP int hipDeviceGetUuid(void *uuid, int device) {
    return noted(cuDeviceGetUuid(uuid, device));
}

HIP int hipDeviceGetPCIBusId(char *text, int bytes, int device) {
    return noted(cuDeviceGetPCIBusId(text, bytes, device));
}

HIP int hipDeviceGetAttribute(int *value, int attribute, int device) {
    switch (attribute) {
        case 63: return noted(cuDeviceGetAttribute(value, 16, device)); /* multiprocessors */
        case 87: return noted(cuDeviceGetAttribute(value, 10, device)); /* threads of a warp */
        default: return noted(INVALID_VALUE);
    }
}

static int architecture(char *text, size_t bytes, int device) {
    int major = 0, minor = 0;
    int result = cuDeviceGetAttribute(&major, 75, device);
    result = result ? result : cuDeviceGetAttribute(&minor, 76, device);
    snprintf(text, bytes, "sm_%d%d", major, minor);
    return result;
}

/* hipDeviceProp_t of HIP 6 has 1472 bytes, and gcnArchName at 1160. */
HIP int hipGetDevicePropertiesR0600(char *properties, int device) {
    memset(properties, 0, 1472);
    return noted(architecture(properties + 1160, 256, device));
}

HIP int hipDeviceCanAccessPeer(int *can, int device, int peer) {
    return noted(cuDeviceCanAccessPeer(can, device, peer));
}

/* CUDA's attributes begin with 1, and HIP's with 0. */
HIP int hipDeviceGetP2PAttribute(int *value, int attribute, int device, int peer) {
    return noted(cuDeviceGetP2PAttribute(value, attribute + 1, device, peer));
}

HIP int hipDeviceEnablePeerAccess(int peer, unsigned flags) {
    int own = device_of_thread;
    int result = use(peer);
    result = result ? result : use(own);
    return noted(result ? result : cuCtxEnablePeerAccess(contexts[peer], flags));
}

HIP int hipMemGetInfo(size_t *available, size_t *total) {
    CALL(cuMemGetInfo_v2(available, total));
}

/* Allocations of hipExtMallocWithFlags with flags. */
typedef struct Flagged {
    struct Flagged *next;
    uint64_t address;
    unsigned flags;
} Flagged;

static Flagged *flagged;

HIP int hipExtMallocWithFlags(uint64_t *address, size_t bytes, unsigned flags) {
    int result = use(device_of_thread);
    result = result ? result : cuMemAlloc_v2(address, bytes);
    if (!result) {
        Flagged *one = malloc(sizeof *one);
        pthread_mutex_lock(&lock);
        *one = (Flagged) {flagged, *address, flags};
        flagged = one;
        pthread_mutex_unlock(&lock);
    }
    return noted(result);
}

HIP int hipMalloc(uint64_t *address, size_t bytes) {
    CALL(cuMemAlloc_v2(address, bytes));
}

HIP int hipFree(uint64_t address) {
    int result = use(device_of_thread);
    pthread_mutex_lock(&lock);
    for (Flagged **place = &flagged; !result && *place; place = &(*place)->next) {
        if ((*place)->address == address) {
            Flagged *one = *place;
            *place = one->next;
            free(one);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return noted(result ? result : cuMemFree_v2(address));
}

HIP int hipHostMalloc(void **address, size_t bytes, unsigned flags) {
    CALL(cuMemHostAlloc(address, bytes, (flags & 7) | 3));
}

HIP int hipHostFree(void *address) {
    CALL(cuMemFreeHost(address));
}

HIP int hipHostGetDevicePointer(uint64_t *device, void *host, unsigned flags) {
    CALL(cuMemHostGetDevicePointer_v2(device, host, flags));
}

/* The attributes have CUDA's numbers, and the types of memory too in HIP 6. */
HIP int hipPointerGetAttribute(void *value, int attribute, uint64_t address) {
    CALL(cuPointerGetAttribute(value, attribute, address));
}

/* hipPointerAttribute_t. */
typedef struct {
    int type, device;
    uint64_t device_pointer, host_pointer;
    int managed;
    unsigned flags;
} Attributes;

HIP int hipPointerGetAttributes(Attributes *attributes, uint64_t address) {
    memset(attributes, 0, sizeof *attributes);
    int result = use(device_of_thread);
    result = result ? result : cuPointerGetAttribute(&attributes->type, 2, address);
    result = result ? result : cuPointerGetAttribute(&attributes->device, 9, address);
    uint64_t start = 0;
    size_t bytes;
    if (!result && !cuMemGetAddressRange_v2(&start, &bytes, address)) {
        pthread_mutex_lock(&lock);
        for (Flagged *one = flagged; one; one = one->next) {
            attributes->flags = one->address == start ? one->flags : attributes->flags;
        }
        pthread_mutex_unlock(&lock);
    }
    attributes->device_pointer = address;
    return noted(result);
}

HIP int hipMemGetAddressRange(uint64_t *start, size_t *bytes, uint64_t address) {
    CALL(cuMemGetAddressRange_v2(start, bytes, address));
}

HIP int hipIpcGetMemHandle(IpcHandle *handle, uint64_t address) {
    CALL(cuIpcGetMemHandle(handle, address));
}

HIP int hipIpcOpenMemHandle(uint64_t *address, IpcHandle handle, unsigned flags) {
    CALL(cuIpcOpenMemHandle_v2(address, handle, flags));
}

HIP int hipIpcCloseMemHandle(uint64_t address) {
    CALL(cuIpcCloseMemHandle(address));
}

HIP int hipMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, int kind, void *stream) {
    switch (kind) {
        case 1: CALL(cuMemcpyHtoDAsync_v2(to, (const void *) from, bytes, stream));
        case 2: CALL(cuMemcpyDtoHAsync_v2((void *) to, from, bytes, stream));
        case 3: case 4: CALL(cuMemcpyDtoDAsync_v2(to, from, bytes, stream));
        default: return noted(INVALID_VALUE);
    }
}

HIP int hipMemsetAsync(uint64_t to, int value, size_t bytes, void *stream) {
    CALL(cuMemsetD8Async(to, (unsigned char) value, bytes, stream));
}

HIP int hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
    CALL(cuCtxGetStreamPriorityRange(least, greatest));
}

HIP int hipStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
    CALL(cuStreamCreateWithPriority(stream, flags, priority));
}

HIP int hipStreamDestroy(void *stream) {
    CALL(cuStreamDestroy_v2(stream));
}

HIP int hipStreamQuery(void *stream) {
    CALL(cuStreamQuery(stream));
}

HIP int hipStreamGetDevice(void *stream, int *device) {
    void *context = NULL;
    int result = use(device_of_thread);
    result = result ? result : cuStreamGetCtx(stream, &context);
    for (int i = 0; !result && i < MOST_DEVICES; i++) {
        if (context && contexts[i] == context) {
            *device = i;
            return SUCCESS;
        }
    }
    return noted(result ? result : INVALID_DEVICE);
}

HIP int hipStreamWaitEvent(void *stream, void *event, unsigned flags) {
    CALL(cuStreamWaitEvent(stream, event, flags));
}

HIP int hipStreamWriteValue64(void *stream, uint64_t address, uint64_t value, unsigned flags) {
    CALL(cuStreamWriteValue64_v2(stream, address, value, flags));
}

HIP int hipStreamBeginCapture(void *stream, int mode) {
    CALL(cuStreamBeginCapture_v2(stream, mode));
}

HIP int hipStreamEndCapture(void *stream, void **graph) {
    CALL(cuStreamEndCapture(stream, graph));
}

HIP int hipStreamIsCapturing(void *stream, int *status) {
    CALL(cuStreamIsCapturing(stream, status));
}

HIP int hipStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id, void **graph, void *nodes, void *count) {
    CALL(cuStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count));
}

HIP int hipThreadExchangeStreamCaptureMode(int *mode) {
    CALL(cuThreadExchangeStreamCaptureMode(mode));
}

/* The rest of the flags is AMD's alone. */
HIP int hipEventCreateWithFlags(void **event, unsigned flags) {
    CALL(cuEventCreate(event, flags & 7));
}

HIP int hipEventDestroy(void *event) {
    CALL(cuEventDestroy_v2(event));
}

HIP int hipEventRecord(void *event, void *stream) {
    CALL(cuEventRecord(event, stream));
}

HIP int hipEventQuery(void *event) {
    CALL(cuEventQuery(event));
}

HIP int hipEventElapsedTime(float *millis, void *from, void *to) {
    CALL(cuEventElapsedTime(millis, from, to));
}

HIP int hipUserObjectCreate(void **object, void *argument, void (*destroy)(void *), unsigned references, unsigned flags) {
    CALL(cuUserObjectCreate(object, argument, destroy, references, flags));
}

HIP int hipUserObjectRelease(void *object, unsigned references) {
    CALL(cuUserObjectRelease(object, references));
}

HIP int hipGraphRetainUserObject(void *graph, void *object, unsigned references, unsigned flags) {
    CALL(cuGraphRetainUserObject(graph, object, references, flags));
}

HIP int hipGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) {
    CALL(cuGraphInstantiateWithFlags(executable, graph, flags));
}

HIP int hipGraphDestroy(void *graph) {
    CALL(cuGraphDestroy(graph));
}

HIP int hipGraphUpload(void *executable, void *stream) {
    CALL(cuGraphUpload(executable, stream));
}

HIP int hipGraphLaunch(void *executable, void *stream) {
    CALL(cuGraphLaunch(executable, stream));
}

HIP int hipGraphExecDestroy(void *executable) {
    CALL(cuGraphExecDestroy(executable));
}

HIP int hipModuleLoadData(void **module, const void *image) {
    CALL(cuModuleLoadData(module, image));
}

HIP int hipModuleUnload(void *module) {
    CALL(cuModuleUnload(module));
}

/* HIP's functions are loaded with their module. */
HIP int hipModuleGetFunction(void **function, void *module, const char *name) {
    int result = use(device_of_thread);
    result = result ? result : cuModuleGetFunction(function, module, name);
    return noted(result ? result : cuFuncLoad(*function));
}

/* What a HIP without CUDA does not have yet: CUDA's code does not say which parameters it has. */
HIP int hipFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *bytes) {
    CALL(cuFuncGetParamInfo(function, index, offset, bytes));
}

HIP int hipFuncGetAttribute(int *value, int attribute, void *function) {
    CALL(cuFuncGetAttribute(value, attribute, function));
}

HIP int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared));
}

HIP int hipModuleLaunchKernel(void *function, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned threads_y, unsigned threads_z,
                              unsigned shared, void *stream, void **parameters, void **extra) {
    if (extra) {
        return noted(NOT_SUPPORTED);
    }
    CALL(cuLaunchKernel(function, blocks, y, z, threads, threads_y, threads_z, shared, stream, parameters, NULL));
}

HIP int hiprtcVersion(int *major, int *minor) {
    pthread_once(&once, load);
    return has_compiler ? nvrtcVersion(major, minor) : UNKNOWN;
}

HIP const char *hiprtcGetErrorString(int result) {
    return result == 6 ? "HIPRTC_ERROR_COMPILATION" : result ? "HIPRTC_ERROR_INTERNAL_ERROR" : "HIPRTC_SUCCESS";
}

HIP int hiprtcCreateProgram(void **program, const char *source, const char *name, int headers, const char **contents, const char **names) {
    pthread_once(&once, load);
    return has_compiler ? nvrtcCreateProgram(program, source, name, headers, contents, names) : UNKNOWN;
}

/* --offload-arch=sm_90 and options that NVRTC knows too become NVRTC's; -O3 is its default. */
HIP int hiprtcCompileProgram(void *program, int count, const char **options) {
    const char *own[32] = {"-default-device"};
    char architecture[64] = "";
    int all = 1;
    for (int i = 0; i < count && all < 31; i++) {
        if (!strncmp(options[i], "--offload-arch=", 15)) {
            snprintf(architecture, sizeof architecture, "--gpu-architecture=%s", options[i] + 15);
            own[all++] = architecture;
        } else if (strncmp(options[i], "-O", 2)) {
            own[all++] = options[i];
        }
    }
    return nvrtcCompileProgram(program, all, own);
}

HIP int hiprtcGetProgramLogSize(void *program, size_t *bytes) {
    return nvrtcGetProgramLogSize(program, bytes);
}

HIP int hiprtcGetProgramLog(void *program, char *log) {
    return nvrtcGetProgramLog(program, log);
}

HIP int hiprtcGetCodeSize(void *program, size_t *bytes) {
    return nvrtcGetCUBINSize(program, bytes);
}

HIP int hiprtcGetCode(void *program, char *code) {
    return nvrtcGetCUBIN(program, code);
}

HIP int hiprtcDestroyProgram(void **program) {
    return nvrtcDestroyProgram(program);
}

HIP int amd_comgr_get_isa_count(size_t *count) {
    int devices = 0;
    int result = hipGetDeviceCount(&devices);
    *count = (size_t) devices;
    return result;
}

HIP int amd_comgr_get_isa_name(size_t index, const char **name) {
    static char names[MOST_DEVICES][64];
    char target[32];
    if (index >= MOST_DEVICES || architecture(target, sizeof target, (int) index)) {
        return 1;
    }
    snprintf(names[index], sizeof names[index], "nvptx-nvidia-cuda--%s", target);
    *name = names[index];
    return SUCCESS;
}
