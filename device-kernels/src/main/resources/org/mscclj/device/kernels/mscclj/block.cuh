// Execution of a thread block of a plan. The code of a block has no branches: one call for each operation, whose
// numbers (addresses, lengths, counts) come from the launch's table. All threads of the block call all methods.
//
// The table consists of 64-bit words. Word b holds the start of the words of block b (low half) and the block's shape
// (high half). The words of an operation are at a constant offset from that start; those of moves refer to their runs
// in the table.
#pragma once
#include "mscclj/launch.cuh"
#include "mscclj/packet.cuh"
#include "mscclj/reduce.cuh"
#include "mscclj/spin.cuh"

namespace mscclj {

// Words of ContextLayout's counters, 128 bytes apart.
enum CounterWord { kStarted = 0, kFinished = 16, kArrivals = 32 };

// Waits for the end of a turn of `blocks` arrivals. Returns the value of the word, never 0; 0 if the communicator was
// aborted.
__device__ __forceinline__ uint64 awaitTurn(uint64* word, uint64 arrival, uint64 blocks, const uint32* abortWord) {
    uint64 turnEnd = (arrival / blocks + 1) * blocks;
    Spin spin(abortWord);
    uint64 now;
    while ((now = loadAcquireDevice(word)) < turnEnd) {
        if (!spin.again()) {
            return 0;
        }
    }
    return now;
}

// Synchronises `blocks` blocks, of each of which one thread arrives at a word that counts all arrivals; false if the
// communicator was aborted. Happens-before: each arrival is a release and an acquire of the word, and the last value
// that a block waits for is that of the last arrival of its turn.
__device__ __forceinline__ bool arrive(uint64* word, uint64 blocks, const uint32* abortWord) {
    return awaitTurn(word, fetchAddDevice(word, 1), blocks, abortWord) != 0;
}

// Clears this rank's packets between the launch with flag 2^32-1 and that with flag 1, and synchronises all ranks. The
// rank's earlier launches have ended, so no block waits for old packets; and no rank writes new packets before their
// receivers have cleared. False if the communicator was aborted. Not inlined: it runs once in 2^32 launches, and would
// increase the register count of the others.
static __device__ __noinline__ bool syncWhereFlagsWrap(const LaunchHeader& header) {
    uint64 step = (uint64)gridDim.x * blockDim.x;
    for (uint64 i = (uint64)blockIdx.x * blockDim.x + threadIdx.x; i < header.scratchBytes / 8; i += step) {
        header.scratch[i] = 0;
    }
    __syncthreads();
    bool aborted = false;
    if (threadIdx.x == 0) {
        aborted = !arrive(header.wrapBarrier, gridDim.x, header.abortWord);
        if (!aborted && blockIdx.x == 0) {
            uint64 count = header.peers[0];
            uint64 syncs = header.wrapBarrier[1] + 1;
            header.wrapBarrier[1] = syncs;
            for (uint64 i = 1; i <= count; i++) {
                addReleaseSystem((uint64*)header.peers[i], 1);
            }
            aborted = !awaitCounter(header.counters + kArrivals, syncs * count, header.abortWord);
        }
        if (!aborted) {
            aborted = !arrive(header.wrapBarrier, gridDim.x, header.abortWord);
        }
    }
    return !__syncthreads_or(aborted);
}

template <class ElementType, class OperatorType, PacketType Packets>
class Block {
public:
    using Element = ElementType;
    using Operator = OperatorType;
    static constexpr PacketType kPackets = Packets;

    __device__ __forceinline__ Block(const LaunchHeader& header, const uint64* table)
        : header_(header), table_(table), start_((uint32)table[blockIdx.x]) {}

    __device__ __forceinline__ uint32 shape() const { return (uint32)(table_[blockIdx.x] >> 32); }

    // Begins a launch. False if the block must do nothing, not even end(): it has left an earlier launch, or its memory
    // is freed.
    //
    // This does not read the abort word, which is in host memory and would add a microsecond to each launch. Waits read
    // it, and the host marks the states of captured launches when the communicator is aborted (CapturedState.java).
    //
    // The host may do so while threads of a block load the state, so that some threads return and others continue. That
    // ends as well: the communicator is aborted, so waits fail; barriers of a block do not wait for threads that have
    // returned (compute capability 7.0 and later); and thread 0, which alone counts, does all of that or nothing.
    //
    // Every thread loads the state, so that none waits for another. A launch that detects a concurrent launch of its
    // communicator, for example when two graphs are replayed at once, ends the communicator and leaves: the first block
    // checks a word that all launches of the communicator share, and every block checks whether its own last launch has
    // ended. Launches whose kernels never overlap are not detected.
    __device__ __forceinline__ bool begin() {
        BlockState& state = header_.blocks[blockIdx.x];
        const bool first = blockIdx.x == 0 && threadIdx.x == 0;
        const bool overlaps = first && exchangeDevice(header_.running, 1) != 0;
        Words4 words = load16((uint64)&state);
        uint64 begun = threadIdx.x == 0 ? loadRelaxedSystem(&state.begun) : 0;
        flag_ = words.x;
        launches_ = ((uint64)words.w << 32 | words.z) + 1;
        if (words.y != 0) {
            if (first && !overlaps) {
                storeRelaxedSystem(header_.running, 0);
            }
            if (threadIdx.x == 0 && header_.number != 0 && header_.number != kReplay) {
                storeReleaseSystem(header_.finished + blockIdx.x, header_.number);
            }
            return false;
        }
        if (threadIdx.x == 0) {
            // If more launches have begun than ended, this block of the launch before still runs, and owns the flag and
            // the counts.
            leaving_ = overlaps || begun + 1 != launches_;
            storeRelaxedSystem(&state.begun, launches_);
            if (header_.number == kReplay) {
                storeRelaxedSystem(header_.finished + blockIdx.x, 2 * launches_);
            }
            if (leaving_) {
                storeRelaxedSystem(header_.abortWord, kOverlap);
            }
        }
        if (first) {
            storeRelaxedSystem(header_.counters + kStarted, launches_);
        }
        if (flag_ == 1 && launches_ > 1 && header_.syncsAtWrap != 0) {
            leaving_ |= !syncWhereFlagsWrap(header_);
        }
        return true;
    }

    __device__ __forceinline__ void end() {
        bool left = __syncthreads_or(leaving_);
        if (threadIdx.x != 0) {
            return;
        }
        BlockState& state = header_.blocks[blockIdx.x];
        if (left) {
            state.left = 1; // only for this block: the threads of a block that begins now might disagree
        }
        if (header_.semaphoreCount != 0 && fetchAddDevice(header_.leavers, 1) + 1 == header_.blockCount) {
            for (uint64 i = 0; i < header_.semaphoreCount; i++) {
                header_.semaphores[i] = header_.semaphores[header_.semaphoreCount + i];
            }
            *header_.leavers = 0;
        }
        if (blockIdx.x == 0) {
            storeRelaxedSystem(header_.counters + kFinished, launches_);
            storeRelaxedSystem(header_.running, 0);
        }
        state.flag = flag_ == 0xffffffffu ? 1 : flag_ + 1;
        storeRelaxedSystem(&state.ended, launches_);
        if (header_.number != 0) {
            // Only this block writes its word, and launches of a rank do not overlap.
            storeReleaseSystem(header_.finished + blockIdx.x, header_.number == kReplay ? 2 * launches_ + 1 : header_.number);
        }
    }

    // Synchronises all threads of the block. True if the block must leave.
    __device__ __forceinline__ bool nop() {
        leaving_ = __syncthreads_or(leaving_);
        return leaving_;
    }

    // Raises counters of peers. Words: the address of each.
    template <int Channels, bool Releases>
    __device__ __forceinline__ void signal(uint32 at) {
        for (uint32 i = threadIdx.x; i < Channels && !leaving_; i += blockDim.x) {
            uint64* counter = (uint64*)word(at + i);
            if (Releases) {
                addReleaseSystem(counter, 1);
            } else {
                addRelaxedSystem(counter, 1);
            }
        }
    }

    // Waits on counters of this rank. Two words each: the counter's address, and the address of the number of waits on
    // it, whose bit 0 says that several blocks wait on it.
    template <int Channels>
    __device__ __forceinline__ void wait(uint32 at) {
        for (uint32 i = threadIdx.x; i < Channels && !leaving_; i += blockDim.x) {
            const uint64* counter = (const uint64*)word(at + 2 * i);
            uint64 awaited = word(at + 2 * i + 1);
            uint64* waits = (uint64*)(awaited & ~1ull);
            uint64 expected;
            if ((awaited & 1) != 0) {
                expected = fetchAddDevice(waits, 1) + 1;
            } else {
                expected = *waits + 1;
                *waits = expected;
            }
            leaving_ = !awaitCounter(counter, expected, header_.abortWord);
        }
    }

    // Synchronises with the other blocks of a barrier. Two words: the address of the word that counts all arrivals, and
    // the number of blocks.
    __device__ __forceinline__ bool barrier(uint32 at) {
        if (nop()) {
            return true;
        }
        if (threadIdx.x == 0) {
            leaving_ = !arrive((uint64*)word(at), word(at + 1), header_.abortWord);
        }
        return nop();
    }

    template <int Semaphores>
    __device__ __forceinline__ void acquire(uint32 at) {
        for (uint32 i = threadIdx.x; i < Semaphores && !leaving_; i += blockDim.x) {
            uint64* semaphore = (uint64*)word(at + i);
            Spin spin(header_.abortWord);
            while (true) {
                uint64 value = loadAcquireDevice(semaphore);
                if (value != 0 && compareAndSetDevice(semaphore, value, value - 1)) {
                    break;
                }
                if (!spin.again()) {
                    leaving_ = true;
                    break;
                }
            }
        }
    }

    template <int Semaphores>
    __device__ __forceinline__ void release(uint32 at) {
        for (uint32 i = threadIdx.x; i < Semaphores && !leaving_; i += blockDim.x) {
            fetchAddDevice((uint64*)word(at + i), 1);
        }
    }

    // A pipeline. Two words: the number of iterations, and the bytes of each iteration within each move's own range.
    __device__ __forceinline__ uint64 iterations(uint32 at) const { return word(at); }

    __device__ __forceinline__ void window(uint32 at, uint64 iteration) {
        uint64 unit = word(at + 1);
        windowStart_ = iteration * unit;
        windowEnd_ = windowStart_ + unit;
    }

    __device__ __forceinline__ void wholeWindow() {
        windowStart_ = 0;
        windowEnd_ = ~0ull;
    }

    // --- for moves ---

    __device__ __forceinline__ uint64 word(uint32 at) const { return table_[start_ + at]; }

    __device__ __forceinline__ uint64 tableWord(uint32 at) const { return table_[at]; }

    __device__ __forceinline__ uint64 roundShift() const { return header_.roundShift; }

    __device__ __forceinline__ bool secondHalf() const { return (flag_ & 1) == 0; }

    __device__ __forceinline__ uint64 windowStart() const { return windowStart_; }

    __device__ __forceinline__ uint64 windowEnd() const { return windowEnd_; }

    __device__ __forceinline__ uint32 flag() const { return flag_; }

    // Address of the trace ring of this block.
    __device__ __forceinline__ uint64 trace() const { return header_.blocks[blockIdx.x].trace; }

    __device__ __forceinline__ const uint32* abortWord() const { return header_.abortWord; }

    __device__ __forceinline__ bool leaving() const { return leaving_; }

    __device__ __forceinline__ void leave() { leaving_ = true; }

private:
    const LaunchHeader& header_;
    const uint64* table_;
    uint32 start_;
    uint32 flag_ = 0;
    uint64 launches_ = 0;
    bool leaving_ = false;
    uint64 windowStart_ = 0;
    uint64 windowEnd_ = ~0ull;
};

} // namespace mscclj
