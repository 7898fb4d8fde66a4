// The parameter of a kernel of a plan. The host writes these structures: their offsets are a contract between both
// sides (LaunchHeader.java, and its test).
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

// The state of a block between launches. Every block has its own, so that it learns the number of a launch without
// communication. The states of all blocks are equal between launches.
struct alignas(32) BlockState {
    uint32 flag;     // the packet flag of the next launch; counts from 1, skips 0
    uint32 left;     // not 0 after an abort ended a launch of the block, or the plan is freed: launches end at once
    uint64 ended;    // number of launches that have ended
    uint64 begun;    // number of launches that have begun
    uint64 trace;    // address of the block's trace ring; 0 without tracing
};

// The number of replayed launches, for which no number is known when they are enqueued.
constexpr uint64 kReplay = ~0ull;

// Values of the abort word. The host writes kAborted; a kernel writes kOverlap if it detects a concurrent launch of its
// communicator, and kUnequalSizes if a point-to-point transfer has another size than the receiver expects: the words
// after it then hold the sender's rank, the bytes sent, and the bytes expected.
enum AbortWord { kGoOn = 0, kAborted = 1, kOverlap = 2, kUnequalSizes = 3 };

// The fields common to all blocks of a launch.
struct LaunchHeader {
    BlockState* blocks;
    uint32* abortWord;        // in host memory; not 0 once the communicator is aborted
    uint64* counters;         // counters of this rank, laid out by ContextLayout
    uint64* finished;         // a word for each block, in host memory

    // The value that blocks write to their word in `finished` when they end; 0 for none; kReplay: twice the number of
    // their launches when they begin, and one more when they end.
    uint64 number;

    uint64 roundShift;        // start of this round in each slice of input and output, in bytes
    const uint64* table;      // the table if it does not follow this header

    // The fields for the wrap of flags: a barrier of this rank's blocks (arrivals, then number of wraps), the scratch
    // to clear, and the words to raise at peers: the number of those that are mapped, the number of those that ports
    // lead to, the addresses of the former, and ring and semaphore of each of the latter.
    uint64* wrapBarrier;
    uint64* scratch;
    uint64 scratchBytes;
    const uint64* peers;

    uint64* running;          // not 0 while a launch of this communicator runs on this rank
    uint32 blockCount;
    uint16 syncsAtWrap;       // whether ranks synchronise at the wrap of flags
    uint16 letsNext;          // whether the next kernel of the stream may begin early: capacity is reserved for both
    uint64* semaphores;       // current values, then values at the start of each launch; semaphoreCount of each
    uint64* leavers;          // number of blocks that have ended in this launch; counted only if there are semaphores
    uint64 semaphoreCount;
};

static_assert(sizeof(BlockState) == 32, "as the host has it");
static_assert(sizeof(LaunchHeader) == 128, "as the host has it");

} // namespace mscclj
