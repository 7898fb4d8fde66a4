// What a kernel of a plan is given. The host writes these structures: their offsets are part of the contract between both (LaunchHeader.java,
// and its test).
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

// What a block keeps from launch to launch. Every block has its own, so that none has to ask another which launch this is. All are equal between
// launches.
struct alignas(32) BlockState {
    uint32 flag;     // the packet flag of the next launch; counts from 1, skips 0
    uint32 left;     // not 0 once the block has left a launch because of an abort, or the plan's memory is gone: later launches end at once
    uint64 ended;    // how many launches have ended
    uint64 begun;    // how many have begun
    uint64 trace;    // where a traced block's events go; 0 if it is not traced
};

// Where launches are replayed, and no number is known when they are enqueued.
constexpr uint64 kReplay = ~0ull;

// What the abort word says. The host writes kAborted; a kernel writes kOverlap if it finds another launch of its communicator at work, and kUnequalSizes if a
// message has another size than it expects: then the words after it say from which rank, how many bytes are sent, and how many expected.
enum AbortWord { kGoOn = 0, kAborted = 1, kOverlap = 2, kUnequalSizes = 3 };

// The same for all blocks of a launch.
struct LaunchHeader {
    BlockState* blocks;
    uint32* abortWord;        // in memory of the host; not 0 once the communicator is aborted
    uint64* counters;         // this rank's, as ContextLayout has them
    uint64* finished;         // a word for each block, in memory of the host
    uint64 number;            // what the blocks write there when they end; 0: nothing; kReplay: twice the number of their launches when they begin, and one more
    uint64 roundShift;        // where this round starts in each slice of input and output, in bytes
    const uint64* table;      // the table, where it does not lie behind this header
    uint64* meeting;          // words of the meeting of this rank's blocks where flags wrap: arrivals, then meetings held
    uint64* scratch;          // what is cleared there
    uint64 scratchBytes;      // how much
    const uint64* peers;      // the words that are raised there: number of them, then their addresses
    uint64* running;          // not 0 while a launch of this communicator is at work on this rank
    uint32 blockCount;
    uint32 meets;             // whether ranks meet where flags wrap
    uint64* semaphores;       // values now, then values at the start of each launch; number of them below
    uint64* leavers;          // how many blocks have ended in this launch; only counted if there are semaphores
    uint64 semaphoreCount;
};

static_assert(sizeof(BlockState) == 32, "as the host has it");
static_assert(sizeof(LaunchHeader) == 128, "as the host has it");

} // namespace mscclj
