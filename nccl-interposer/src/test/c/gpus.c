/* The GPUs of a program, by the driver of CUDA. */
#include "program.h"

typedef unsigned long long address;

int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuMemAlloc_v2(address *memory, size_t bytes);
int cuMemcpyDtoHAsync_v2(void *to, address from, size_t bytes, void *stream);
int cuMemcpyHtoDAsync_v2(address to, const void *from, size_t bytes, void *stream);
int cuMemcpyDtoDAsync_v2(address to, address from, size_t bytes, void *stream);
int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority);
int cuStreamDestroy_v2(void *stream);
int cuStreamQuery(void *stream);
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags);
int cuGraphLaunch(void *executable, void *stream);

enum { MOST = 8, NOT_READY = 600 };

static void *contexts[MOST];
static __thread int current;

/* That of the runtime, by which libraries know the GPU of a thread. */
__attribute__((visibility("default"))) int cudaGetDevice(int *device) {
    *device = current;
    return 0;
}

static void check(int code, const char *what) {
    if (code != 0) {
        fprintf(stderr, "%s: error %d of the driver\n", what, code);
        exit(3);
    }
}

void use_device(int device) {
    int handle;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&handle, device), "cuDeviceGet");
    if (contexts[device] == NULL) {
        check(cuDevicePrimaryCtxRetain(&contexts[device], handle), "cuDevicePrimaryCtxRetain");
    }
    check(cuCtxSetCurrent(contexts[device]), "cuCtxSetCurrent");
    current = device;
}

void *device_memory(size_t bytes) {
    address made;
    check(cuMemAlloc_v2(&made, bytes == 0 ? 1 : bytes), "cuMemAlloc");
    return (void *)(uintptr_t)made;
}

void *new_stream(void) {
    void *made;
    check(cuStreamCreateWithPriority(&made, 1, 0), "cuStreamCreate");
    return made;
}

void destroy_stream(void *stream) {
    check(cuStreamDestroy_v2(stream), "cuStreamDestroy");
}

void upload(void *to, const void *from, size_t bytes, void *stream) {
    check(cuMemcpyHtoDAsync_v2((address)(uintptr_t)to, from, bytes, stream), "cuMemcpyHtoD");
    synchronize(stream);
}

void download(void *to, const void *from, size_t bytes, void *stream) {
    check(cuMemcpyDtoHAsync_v2(to, (address)(uintptr_t)from, bytes, stream), "cuMemcpyDtoH");
    synchronize(stream);
}

void copy(void *to, const void *from, size_t bytes, void *stream) {
    check(cuMemcpyDtoDAsync_v2((address)(uintptr_t)to, (address)(uintptr_t)from, bytes, stream), "cuMemcpyDtoD");
}

void synchronize(void *stream) {
    int code = cuStreamQuery(stream);
    while (code == NOT_READY) {
        usleep(200);
        code = cuStreamQuery(stream);
    }
    check(code, "cuStreamQuery");
}

void begin_capture(void *stream, int mode) {
    check(cuStreamBeginCapture_v2(stream, mode), "cuStreamBeginCapture");
}

void *end_capture(void *stream) {
    void *graph, *executable;
    check(cuStreamEndCapture(stream, &graph), "cuStreamEndCapture");
    check(cuGraphInstantiateWithFlags(&executable, graph, 0), "cuGraphInstantiate");
    return executable;
}

void launch(void *graph, void *stream) {
    check(cuGraphLaunch(graph, stream), "cuGraphLaunch");
}
