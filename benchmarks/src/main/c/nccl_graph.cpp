/*
 * Times collectives of NCCL as mscclj perf does, without Java: a graph of launches is replayed without a pause, and
 * events of the device time the replays. config/gpu/compare-nccl.sh compares the two.
 *
 *   nvcc -std=c++17 -O2 -o nccl_graph nccl_graph.cpp -ldl
 *   ./nccl_graph COLLECTIVE RANKS processes|threads SAMPLES BYTES:LAUNCHES:REPLAYS...
 *
 * COLLECTIVE is allreduce, allgather, reducescatter, broadcast or alltoall (grouped sends and receives). Elements are
 * fp16, the reduction is the sum; all but alltoall are in place. BYTES is the size of the output for allgather, and of
 * the input otherwise. Each rank has the GPU of its number. Memory is that of ncclMemAlloc, registered. NVLink
 * multicast is off (NCCL_NVLS_ENABLE=0) unless that variable is set.
 *
 * For each size a row has the bytes, the microseconds of a launch by events and by the host's clock, and the span of
 * the middle half of the samples by events, in per cent of their median. Times are medians of samples, of the slowest
 * rank. Results are compared with the definition of the collective for sizes up to 1 MiB.
 *
 * The library is MSCCLJ_NCCL_LIB, or libnccl.so.2 of the dynamic linker. Its functions are declared here, so that no
 * header of NCCL is necessary.
 */
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int MAX_RANKS = 16;
constexpr int MAX_SAMPLES = 1000;
constexpr size_t MAX_CHECKED_BYTES = 1 << 20;
constexpr double WARM_UP_SECONDS = 0.2;
constexpr double LEAD_IN_SECONDS = 0.002;

/* ---- NCCL ---- */

struct UniqueId {
    char bytes[128];
};

using Comm = void *;
constexpr int FLOAT16 = 6;
constexpr int SUM = 0;

struct Nccl {
    int (*getVersion)(int *);
    int (*getUniqueId)(UniqueId *);
    int (*commInitRank)(Comm *, int, UniqueId, int);
    int (*commDestroy)(Comm);
    int (*memAlloc)(void **, size_t);
    int (*memFree)(void *);
    int (*commRegister)(Comm, void *, size_t, void **);
    int (*commDeregister)(Comm, void *);
    int (*groupStart)();
    int (*groupEnd)();
    int (*allReduce)(const void *, void *, size_t, int, int, Comm, cudaStream_t);
    int (*allGather)(const void *, void *, size_t, int, Comm, cudaStream_t);
    int (*reduceScatter)(const void *, void *, size_t, int, int, Comm, cudaStream_t);
    int (*broadcast)(const void *, void *, size_t, int, int, Comm, cudaStream_t);
    int (*send)(const void *, size_t, int, int, Comm, cudaStream_t);
    int (*recv)(void *, size_t, int, int, Comm, cudaStream_t);
    const char *(*errorString)(int);
};

Nccl nccl;

[[noreturn]] void fail(const std::string &what) {
    fprintf(stderr, "nccl_graph: %s\n", what.c_str());
    _exit(1);
}

void cuda(cudaError_t result, const char *call) {
    if (result != cudaSuccess) {
        fail(std::string(call) + ": " + cudaGetErrorString(result));
    }
}

void check(int result, const char *call) {
    if (result != 0) {
        fail(std::string(call) + ": " + nccl.errorString(result));
    }
}

#define CUDA(call) cuda(call, #call)
#define NCCL(call) check(nccl.call, #call)

template <typename Function>
void bind(void *library, Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function) {
        fail(std::string("NCCL has no ") + name + "; install NCCL 2.19 or later");
    }
}

void load_nccl() {
    const char *given = getenv("MSCCLJ_NCCL_LIB");
    void *library = dlopen(given ? given : "libnccl.so.2", RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fail(std::string(dlerror()) + "; set MSCCLJ_NCCL_LIB to libnccl.so.2");
    }
    bind(library, nccl.getVersion, "ncclGetVersion");
    bind(library, nccl.getUniqueId, "ncclGetUniqueId");
    bind(library, nccl.commInitRank, "ncclCommInitRank");
    bind(library, nccl.commDestroy, "ncclCommDestroy");
    bind(library, nccl.memAlloc, "ncclMemAlloc");
    bind(library, nccl.memFree, "ncclMemFree");
    bind(library, nccl.commRegister, "ncclCommRegister");
    bind(library, nccl.commDeregister, "ncclCommDeregister");
    bind(library, nccl.groupStart, "ncclGroupStart");
    bind(library, nccl.groupEnd, "ncclGroupEnd");
    bind(library, nccl.allReduce, "ncclAllReduce");
    bind(library, nccl.allGather, "ncclAllGather");
    bind(library, nccl.reduceScatter, "ncclReduceScatter");
    bind(library, nccl.broadcast, "ncclBroadcast");
    bind(library, nccl.send, "ncclSend");
    bind(library, nccl.recv, "ncclRecv");
    bind(library, nccl.errorString, "ncclGetErrorString");
}

/* ---- what ranks share ---- */

struct Shared {
    pthread_barrier_t barrier;
    UniqueId id;
    double device[MAX_RANKS][MAX_SAMPLES];
    double host[MAX_RANKS][MAX_SAMPLES];
    double elapsed[MAX_RANKS];
    long wrong[MAX_RANKS];
};

Shared *shared;

void meet() {
    pthread_barrier_wait(&shared->barrier);
}

/* ---- the call ---- */

enum Collective { ALLREDUCE, ALLGATHER, REDUCESCATTER, BROADCAST, ALLTOALL };

const char *const NAMES[] = {"allreduce", "allgather", "reducescatter", "broadcast", "alltoall"};

struct Size {
    size_t bytes;
    int launches;
    int replays;
};

struct Job {
    Collective collective;
    int ranks;
    int samples;
    std::vector<Size> sizes;
};

/* The input, the output and the number of elements of a call on one rank. */
struct Call {
    const Job &job;
    int rank;
    size_t count; /* of a slice */
    char *memory; /* the whole message, and behind it the output of alltoall */
    Comm comm;
    cudaStream_t stream;

    size_t slice_bytes() const {
        return count * sizeof(__half);
    }

    char *slice(int of) const {
        return memory + of * slice_bytes();
    }

    char *output() const {
        switch (job.collective) {
            case REDUCESCATTER: return slice(rank);
            case ALLTOALL: return slice(job.ranks);
            default: return memory;
        }
    }

    void launch() const {
        switch (job.collective) {
            case ALLREDUCE: NCCL(allReduce(memory, memory, count, FLOAT16, SUM, comm, stream)); break;
            case ALLGATHER: NCCL(allGather(slice(rank), memory, count, FLOAT16, comm, stream)); break;
            case REDUCESCATTER: NCCL(reduceScatter(memory, slice(rank), count, FLOAT16, SUM, comm, stream)); break;
            case BROADCAST: NCCL(broadcast(memory, memory, count, FLOAT16, 0, comm, stream)); break;
            case ALLTOALL:
                NCCL(groupStart());
                for (int peer = 0; peer < job.ranks; peer++) {
                    NCCL(send(slice(peer), count, FLOAT16, peer, comm, stream));
                    NCCL(recv(slice(job.ranks + peer), count, FLOAT16, peer, comm, stream));
                }
                NCCL(groupEnd());
                break;
        }
    }
};

bool has_slices(Collective collective) {
    return collective == ALLGATHER || collective == REDUCESCATTER || collective == ALLTOALL;
}

/* Element i of slice `slice` of rank `rank`: small integers, whose sums fp16 represents. */
float element(int rank, int slice, size_t i) {
    return static_cast<float>((rank * 5 + slice * 3 + i) % 16);
}

float expected(const Call &call, int slice, size_t i) {
    float sum = 0;
    switch (call.job.collective) {
        case ALLREDUCE:
        case REDUCESCATTER:
            for (int rank = 0; rank < call.job.ranks; rank++) {
                sum += element(rank, call.job.collective == ALLREDUCE ? 0 : call.rank, i);
            }
            return sum;
        case ALLGATHER: return element(slice, slice, i);
        case BROADCAST: return element(0, 0, i);
        case ALLTOALL: return element(slice, call.rank, i);
    }
    return sum;
}

/* Launches once on known data; returns the number of wrong elements. */
long wrong(const Call &call) {
    int slices = has_slices(call.job.collective) ? call.job.ranks : 1;
    std::vector<__half> data(call.count * slices);
    for (int slice = 0; slice < slices; slice++) {
        for (size_t i = 0; i < call.count; i++) {
            data[slice * call.count + i] = __float2half(element(call.rank, slice, i));
        }
    }
    CUDA(cudaMemcpy(call.memory, data.data(), data.size() * sizeof(__half), cudaMemcpyHostToDevice));
    meet();
    call.launch();
    CUDA(cudaStreamSynchronize(call.stream));
    int received = call.job.collective == ALLGATHER || call.job.collective == ALLTOALL ? call.job.ranks : 1;
    data.resize(call.count * received);
    CUDA(cudaMemcpy(data.data(), call.output(), data.size() * sizeof(__half), cudaMemcpyDeviceToHost));
    long number = 0;
    for (int slice = 0; slice < received; slice++) {
        for (size_t i = 0; i < call.count; i++) {
            number += __half2float(data[slice * call.count + i]) != expected(call, slice, i);
        }
    }
    return number;
}

/* ---- samples ---- */

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Replays {
    cudaGraphExec_t graph;
    cudaStream_t stream;
    cudaEvent_t begun, ended;

    void run(int times) const {
        for (int i = 0; i < times; i++) {
            CUDA(cudaGraphLaunch(graph, stream));
        }
    }

    /* The seconds of timed replays behind a lead-in, which brings the ranks together. */
    double by_events(int lead_in, int times) const {
        run(lead_in);
        CUDA(cudaEventRecord(begun, stream));
        run(times);
        CUDA(cudaEventRecord(ended, stream));
        CUDA(cudaStreamSynchronize(stream));
        float millis;
        CUDA(cudaEventElapsedTime(&millis, begun, ended));
        return millis / 1e3;
    }

    double by_host(int times) const {
        double start = seconds();
        run(times);
        CUDA(cudaStreamSynchronize(stream));
        return seconds() - start;
    }
};

double slowest(const double (&of)[MAX_RANKS], int ranks) {
    return *std::max_element(of, of + ranks);
}

/* Of all ranks, which replay equally often. */
double warm_up(const Replays &replays, const Job &job, int rank, int times) {
    double start = seconds();
    double replay = 0;
    bool over = false;
    while (!over) {
        meet();
        replay = replays.by_events(1, times) / times;
        shared->elapsed[rank] = seconds() - start;
        meet();
        over = slowest(shared->elapsed, job.ranks) >= WARM_UP_SECONDS;
        meet();
        shared->elapsed[rank] = replay;
        meet();
        replay = slowest(shared->elapsed, job.ranks);
        meet();
    }
    return replay;
}

cudaGraphExec_t captured(const Call &call, int launches) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CUDA(cudaStreamBeginCapture(call.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < launches; i++) {
        call.launch();
    }
    CUDA(cudaStreamEndCapture(call.stream, &graph));
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaGraphUpload(executable, call.stream));
    return executable;
}

double part(std::vector<double> &sorted, double of) {
    return sorted[static_cast<size_t>(std::ceil(of * sorted.size())) - 1];
}

std::vector<double> sorted(const double (&times)[MAX_RANKS][MAX_SAMPLES], const Job &job) {
    std::vector<double> most(job.samples);
    for (int sample = 0; sample < job.samples; sample++) {
        for (int rank = 0; rank < job.ranks; rank++) {
            most[sample] = std::max(most[sample], times[rank][sample]);
        }
    }
    std::sort(most.begin(), most.end());
    return most;
}

double median(const std::vector<double> &sorted) {
    size_t middle = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

void print_row(const Job &job, const Size &size) {
    std::vector<double> device = sorted(shared->device, job);
    std::vector<double> host = sorted(shared->host, job);
    double launches = static_cast<double>(size.launches) * size.replays;
    double spread = 100 * (part(device, 0.75) - part(device, 0.25)) / median(device);
    long wrong = 0;
    for (int rank = 0; rank < job.ranks; rank++) {
        wrong += shared->wrong[rank];
    }
    printf("%12zu %12.3f %12.3f %8.2f %6dx%-5d %s\n", size.bytes, median(device) / launches * 1e6,
           median(host) / launches * 1e6, spread, size.launches, size.replays,
           size.bytes > MAX_CHECKED_BYTES ? "unchecked" : wrong ? "WRONG" : "right");
    fflush(stdout);
    if (wrong) {
        fail("wrong elements: " + std::to_string(wrong));
    }
}

void measure(const Call &call, const Size &size) {
    const Job &job = call.job;
    shared->wrong[call.rank] = size.bytes <= MAX_CHECKED_BYTES ? wrong(call) : 0;
    CUDA(cudaMemset(call.memory, 0, call.slice_bytes() * (has_slices(job.collective) ? job.ranks : 1)));
    CUDA(cudaDeviceSynchronize());
    call.launch(); /* NCCL sets up resources at the first call, which a capture must not contain */
    CUDA(cudaStreamSynchronize(call.stream));
    Replays replays {captured(call, size.launches), call.stream, nullptr, nullptr};
    CUDA(cudaEventCreate(&replays.begun));
    CUDA(cudaEventCreate(&replays.ended));
    double replay = warm_up(replays, job, call.rank, size.replays);
    int lead_in = std::max(1, static_cast<int>(std::ceil(LEAD_IN_SECONDS / replay)));
    for (int sample = 0; sample < job.samples; sample++) {
        meet();
        shared->device[call.rank][sample] = replays.by_events(lead_in, size.replays);
        meet();
        shared->host[call.rank][sample] = replays.by_host(size.replays);
    }
    meet();
    if (call.rank == 0) {
        print_row(job, size);
    }
    meet();
    CUDA(cudaEventDestroy(replays.begun));
    CUDA(cudaEventDestroy(replays.ended));
    CUDA(cudaGraphExecDestroy(replays.graph));
}

void run_rank(const Job &job, int rank) {
    CUDA(cudaSetDevice(rank));
    if (rank == 0) {
        int version;
        NCCL(getVersion(&version));
        NCCL(getUniqueId(&shared->id));
        printf("# NCCL %d, %s, %d ranks, fp16, %s\n", version, NAMES[job.collective], job.ranks,
               job.collective == ALLTOALL ? "out of place" : "in place");
        printf("#%11s %12s %12s %8s %12s\n", "bytes", "events us", "host us", "spread %", "launches");
        fflush(stdout);
    }
    meet();
    Comm comm;
    NCCL(commInitRank(&comm, job.ranks, shared->id, rank));
    cudaStream_t stream;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (const Size &size : job.sizes) {
        int slices = has_slices(job.collective) ? job.ranks : 1;
        size_t count = std::max<size_t>(1, size.bytes / sizeof(__half) / slices);
        size_t bytes = count * sizeof(__half) * slices * (job.collective == ALLTOALL ? 2 : 1);
        void *memory;
        void *handle;
        NCCL(memAlloc(&memory, bytes));
        NCCL(commRegister(comm, memory, bytes, &handle));
        measure({job, rank, count, static_cast<char *>(memory), comm, stream}, size);
        NCCL(commDeregister(comm, handle));
        NCCL(memFree(memory));
    }
    CUDA(cudaStreamDestroy(stream));
    NCCL(commDestroy(comm));
}

/* Each rank in a process of its own; one that fails ends the others. */
void run_processes(const Job &job) {
    std::vector<pid_t> children;
    for (int rank = 0; rank < job.ranks; rank++) {
        pid_t child = fork();
        if (child < 0) {
            fail("cannot start a process");
        }
        if (child == 0) {
            run_rank(job, rank);
            fflush(stdout);
            _exit(0);
        }
        children.push_back(child);
    }
    for (int ended = 0; ended < job.ranks; ended++) {
        int status;
        if (wait(&status) < 0 || status != 0) {
            for (pid_t child : children) {
                kill(child, SIGKILL);
            }
            fail("a rank has failed");
        }
    }
}

void run_threads(const Job &job) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < job.ranks; rank++) {
        threads.emplace_back([&job, rank] { run_rank(job, rank); });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

[[noreturn]] void usage(const std::string &problem) {
    fprintf(stderr, "nccl_graph: %s\nusage: nccl_graph COLLECTIVE RANKS processes|threads SAMPLES"
                    " BYTES:LAUNCHES:REPLAYS...\n",
            problem.c_str());
    exit(2);
}

int number(const char *text, int most, const char *what) {
    int value = atoi(text);
    if (value < 1 || value > most) {
        usage(std::string(what) + " is " + text + "; allowed: 1 to " + std::to_string(most));
    }
    return value;
}

Job parse(int argc, char **argv) {
    if (argc < 6) {
        usage("too few arguments");
    }
    auto name = std::find_if(std::begin(NAMES), std::end(NAMES), [&](const char *one) { return !strcmp(one, argv[1]); });
    if (name == std::end(NAMES)) {
        usage(std::string("there is no collective ") + argv[1]);
    }
    Job job {static_cast<Collective>(name - std::begin(NAMES)), number(argv[2], MAX_RANKS, "RANKS"),
             number(argv[4], MAX_SAMPLES, "SAMPLES"), {}};
    for (int i = 5; i < argc; i++) {
        Size size;
        if (sscanf(argv[i], "%zu:%d:%d", &size.bytes, &size.launches, &size.replays) != 3 || size.launches < 1 ||
            size.replays < 1) {
            usage(std::string(argv[i]) + " is not BYTES:LAUNCHES:REPLAYS");
        }
        job.sizes.push_back(size);
    }
    return job;
}

}  // namespace

int main(int argc, char **argv) {
    Job job = parse(argc, argv);
    bool processes = !strcmp(argv[3], "processes");
    if (!processes && strcmp(argv[3], "threads")) {
        usage(std::string("ranks are processes or threads, and not ") + argv[3]);
    }
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    load_nccl();
    void *memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fail("no memory that processes share");
    }
    shared = new (memory) Shared;
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->barrier, &attributes, job.ranks);
    if (processes) {
        run_processes(job);
    } else {
        run_threads(job);
    }
    return 0;
}
