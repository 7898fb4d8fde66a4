/*
 * Finds the operations of the driver that wait until the kernels of a context have ended, and whether launches wait
 * meanwhile (decision 0017, "What waits for kernels").
 *
 *   nvcc -arch=sm_90 -cubin -o kernels.cubin driver-waits.cu && nvcc -arch=sm_90 -o driver-waits driver-waits.cu -lcuda
 *   CUDA_MODULE_LOADING=EAGER ./driver-waits kernels.cubin [OTHER_GPU]
 *
 * For each operation: a kernel on GPU 0 waits for a word; another thread runs the operation, on GPU 0 or on the other
 * GPU; after a while, a kernel that writes the word is launched. A row has the operation, its duration, the duration of
 * that launch, and "held" if the first kernel did not see the word within two seconds, after which it ends by itself.
 * Durations are in milliseconds.
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

extern "C" __global__ void wait_for(volatile unsigned *word, unsigned long long nanoseconds) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (*word == 0 && now - start < nanoseconds);
    word[1] = *word;
}

extern "C" __global__ void notify(volatile unsigned *word) {
    *word = 1;
}

template <int BYTES>
__device__ void use_frame(unsigned *word, unsigned index) {
    volatile unsigned frame[BYTES / 4];
    for (int i = 0; i < BYTES / 4; i++) {
        frame[i] = index + i;
    }
    word[2] = frame[index % (BYTES / 4)];
}

extern "C" __global__ void frame_of_200(unsigned *word, unsigned index) { use_frame<200>(word, index); }
extern "C" __global__ void frame_of_1000(unsigned *word, unsigned index) { use_frame<1000>(word, index); }
extern "C" __global__ void frame_of_4000(unsigned *word, unsigned index) { use_frame<4000>(word, index); }
extern "C" __global__ void frame_of_16000(unsigned *word, unsigned index) { use_frame<16000>(word, index); }

static const unsigned long long LONGEST_NANOSECONDS = 2000000000ull;
static const int BEFORE_THE_LAUNCH_MILLISECONDS = 200;

#define CHECK(call) \
    do { \
        CUresult result_ = (call); \
        if (result_ != CUDA_SUCCESS) { \
            const char *name_ = "?"; \
            cuGetErrorName(result_, &name_); \
            fprintf(stderr, "%s: %s\n", #call, name_); \
            exit(1); \
        } \
    } while (0)

static double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

static std::vector<char> read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    std::vector<char> bytes(ftell(file));
    rewind(file);
    if (fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return bytes;
}

static CUcontext waiting_context, other_context;
static CUdevice other_device;
static CUstream waiting_stream, notifying_stream, other_stream;
static CUfunction wait_function, notify_function, other_notify_function;
static unsigned *word; /* pinned: both GPUs reach it */

static void launch(CUfunction function, CUstream stream, void **arguments) {
    CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
}

/* prepare() before there is a kernel, operation() beside it, clean() when it has ended. */
static void measure(const char *name, std::function<void()> prepare, std::function<void()> operation, std::function<void()> clean) {
    CHECK(cuCtxSetCurrent(other_context));
    prepare();
    CHECK(cuCtxSynchronize());
    CHECK(cuCtxSetCurrent(waiting_context));
    CHECK(cuCtxSynchronize());
    memset((void *) word, 0, 64);
    unsigned long long nanoseconds = LONGEST_NANOSECONDS;
    void *waiting_arguments[] = {&word, &nanoseconds};
    launch(wait_function, waiting_stream, waiting_arguments);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic<double> took{-1};
    std::thread worker([&] {
        CHECK(cuCtxSetCurrent(other_context));
        auto start = std::chrono::steady_clock::now();
        operation();
        took = milliseconds_since(start);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(BEFORE_THE_LAUNCH_MILLISECONDS));
    bool ended_before = took >= 0;
    auto start = std::chrono::steady_clock::now();
    void *telling_arguments[] = {&word};
    launch(notify_function, notifying_stream, telling_arguments);
    double launched = milliseconds_since(start);
    CHECK(cuStreamSynchronize(waiting_stream));
    worker.join();
    CHECK(cuCtxSynchronize());
    bool notified = ((volatile unsigned *) word)[1] != 0;
    printf("%-28s %9.2f %9.2f  %s%s\n", name, took.load(), launched, notified ? "-" : "held", ended_before ? "" : ", waited");
    fflush(stdout);
    CHECK(cuCtxSetCurrent(other_context));
    clean();
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: driver-waits KERNELS.cubin [OTHER_GPU]\n");
        return 2;
    }
    std::vector<char> image = read_file(argv[1]);
    int other = argc > 2 ? atoi(argv[2]) : 0;
    CHECK(cuInit(0));
    CUdevice device;
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGet(&other_device, other));
    CHECK(cuDevicePrimaryCtxRetain(&waiting_context, device));
    CHECK(cuDevicePrimaryCtxRetain(&other_context, other_device));
    CUmodule module, other_module;
    CHECK(cuCtxSetCurrent(other_context));
    CHECK(cuModuleLoadData(&other_module, image.data()));
    CHECK(cuStreamCreate(&other_stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuModuleGetFunction(&other_notify_function, other_module, "notify"));
    CHECK(cuCtxSetCurrent(waiting_context));
    CHECK(cuModuleLoadData(&module, image.data()));
    CHECK(cuModuleGetFunction(&wait_function, module, "wait_for"));
    CHECK(cuModuleGetFunction(&notify_function, module, "notify"));
    CHECK(cuStreamCreate(&waiting_stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreate(&notifying_stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemHostAlloc((void **) &word, 4096, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
    void *arguments[] = {&word};
    for (CUstream stream : {waiting_stream, notifying_stream}) { /* starts each stream, and the kernel */
        launch(notify_function, stream, arguments);
    }
    CHECK(cuCtxSynchronize());
    CHECK(cuCtxSetCurrent(other_context));
    launch(other_notify_function, other_stream, arguments);
    CHECK(cuCtxSynchronize());

    std::function<void()> nothing = [] {};
    printf("kernel on GPU 0, operation on GPU %d: milliseconds of the operation, and of the launch\n", other);
    measure("nothing", nothing, nothing, nothing);

    CUmodule loaded;
    CUfunction function;
    auto load = [&] { CHECK(cuModuleLoadData(&loaded, image.data())); };
    auto unload = [&] { CHECK(cuModuleUnload(loaded)); };
    measure("cuModuleLoadData", nothing, load, unload);
    measure("cuModuleGetFunction", load, [&] { CHECK(cuModuleGetFunction(&function, loaded, "notify")); }, unload);
    measure("cuModuleUnload", load, unload, nothing);
    CUlibrary library;
    CUkernel kernel;
    auto load_library = [&] { CHECK(cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0)); };
    auto unload_library = [&] { CHECK(cuLibraryUnload(library)); };
    measure("cuLibraryLoadData", nothing, load_library, unload_library);
    measure("cuKernelGetFunction", load_library, [&] {
        CHECK(cuLibraryGetKernel(&kernel, library, "notify"));
        CHECK(cuKernelGetFunction(&function, kernel));
    }, unload_library);
    measure("cuLibraryUnload", load_library, unload_library, nothing);

    for (const char *name : {"frame_of_200", "frame_of_1000", "frame_of_4000", "frame_of_16000"}) {
        CHECK(cuModuleGetFunction(&function, other_module, name));
        unsigned index = 3;
        void *frame_arguments[] = {&word, &index};
        measure((std::string("first launch, ") + name).c_str(), nothing, [&] { launch(function, other_stream, frame_arguments); }, nothing);
    }

    CUdeviceptr memory;
    for (size_t bytes : {(size_t) 1 << 12, (size_t) 1 << 28}) {
        const char *size = bytes > 4096 ? "256 MiB" : "4 KiB";
        auto take = [&] { CHECK(cuMemAlloc(&memory, bytes)); };
        auto give_back = [&] { CHECK(cuMemFree(memory)); };
        measure((std::string("cuMemAlloc, ") + size).c_str(), nothing, take, give_back);
        measure((std::string("cuMemFree, ") + size).c_str(), take, give_back, nothing);
        void *host;
        auto take_host = [&] { CHECK(cuMemHostAlloc(&host, bytes, CU_MEMHOSTALLOC_PORTABLE)); };
        auto give_back_host = [&] { CHECK(cuMemFreeHost(host)); };
        measure((std::string("cuMemHostAlloc, ") + size).c_str(), nothing, take_host, give_back_host);
        measure((std::string("cuMemFreeHost, ") + size).c_str(), take_host, give_back_host, nothing);
        void *plain;
        auto allocate = [&] { plain = aligned_alloc(4096, bytes); };
        auto enlist = [&] { CHECK(cuMemHostRegister(plain, bytes, 0)); };
        auto delist = [&] { CHECK(cuMemHostUnregister(plain)); };
        measure((std::string("cuMemHostRegister, ") + size).c_str(), allocate, enlist, nothing);
        measure((std::string("cuMemHostUnregister, ") + size).c_str(), nothing, delist, [&] { free(plain); });
    }

    CUmemAllocationProp properties = {};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, other};
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    const size_t block = 1 << 21;
    CUmemGenericAllocationHandle handle;
    auto map = [&] {
        CHECK(cuMemCreate(&handle, block, &properties, 0));
        CHECK(cuMemAddressReserve(&memory, block, block, 0, 0));
        CHECK(cuMemMap(memory, block, 0, handle, 0));
        CHECK(cuMemSetAccess(memory, block, &access, 1));
    };
    auto unmap = [&] {
        CHECK(cuMemUnmap(memory, block));
        CHECK(cuMemAddressFree(memory, block));
        CHECK(cuMemRelease(handle));
    };
    measure("virtual memory, mapped", nothing, map, unmap);
    measure("virtual memory, unmapped", map, unmap, nothing);

    CUstream stream;
    auto make_stream = [&] { CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)); };
    auto end_stream = [&] { CHECK(cuStreamDestroy(stream)); };
    measure("cuStreamCreate", nothing, make_stream, end_stream);
    measure("cuStreamDestroy", make_stream, end_stream, nothing);
    CUevent event;
    auto make_event = [&] { CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING)); };
    auto end_event = [&] { CHECK(cuEventDestroy(event)); };
    measure("cuEventCreate", nothing, make_event, end_event);
    measure("cuEventDestroy", make_event, end_event, nothing);
    size_t free_bytes, total_bytes;
    measure("cuMemGetInfo", nothing, [&] { CHECK(cuMemGetInfo(&free_bytes, &total_bytes)); }, nothing);
    measure("cuCtxSynchronize", nothing, [&] { CHECK(cuCtxSynchronize()); }, nothing);

    CUgraph graph;
    std::vector<CUgraphExec> graphs;
    auto capture = [&] {
        CHECK(cuStreamBeginCapture(other_stream, CU_STREAM_CAPTURE_MODE_RELAXED));
        launch(other_notify_function, other_stream, arguments);
        CHECK(cuStreamEndCapture(other_stream, &graph));
    };
    auto destroy = [&] {
        for (CUgraphExec made : graphs) {
            CHECK(cuGraphExecDestroy(made));
        }
        graphs.clear();
        CHECK(cuGraphDestroy(graph));
    };
    for (int number : {1, 200}) {
        auto instantiate = [&] {
            for (int i = 0; i < number; i++) {
                graphs.emplace_back();
                CHECK(cuGraphInstantiateWithFlags(&graphs.back(), graph, 0));
            }
        };
        measure(number == 1 ? "graph, instantiated" : "graph, instantiated 200 times", capture, instantiate, destroy);
        measure(number == 1 ? "graph, destroyed" : "graph, destroyed 200 times", [&] { capture(); instantiate(); }, destroy, nothing);
    }
    return 0;
}
