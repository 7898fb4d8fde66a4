// Execution of a thread block of a plan. The code of a block has no branches: one call for each operation, whose
// numbers (addresses, lengths, counts) come from the launch's table. All threads of the block call all methods.
//
// The table consists of 64-bit words. Word b holds the start of the words of block b (low half) and the block's shape
// (high half). The words of an operation are at a constant offset from that start; those of moves refer to their runs
// in the table.
#pragma once
#include "mscclj/bookkeeping.cuh"
#include "mscclj/packet.cuh"
#include "mscclj/reduce.cuh"

namespace mscclj {

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
    //
    // The three loads are independent, so that their latencies overlap: no branch depends on one before all are issued.
    __device__ __forceinline__ bool begin() {
        BlockState& state = header_.blocks[blockIdx.x];
        const bool counts = threadIdx.x == 0;
        const bool first = counts && blockIdx.x == 0;
        const Words4 words = load16((uint64)&state);
        const uint64 running = exchangeDeviceIf(first, header_.running, 1);
        const uint64 begun = loadRelaxedSystemIf(counts, &state.begun);
        flag_ = words.x;
        launches_ = ((uint64)words.w << 32 | words.z) + 1;
        if (words.y != 0) {
            if (first && running == 0) {
                storeRelaxedSystem(header_.running, 0);
            }
            if (counts && header_.number != 0 && header_.number != kReplay) {
                storeReleaseSystem(header_.finished + blockIdx.x, header_.number);
            }
            return false;
        }
        storeRelaxedSystemIf(counts, &state.begun, launches_);
        storeRelaxedSystemIf(counts && header_.number == kReplay, header_.finished + blockIdx.x, 2 * launches_);
        storeRelaxedSystemIf(first, header_.counters + kStarted, launches_);
        // If more launches have begun than ended, this block of the launch before still runs, and owns the flag and the
        // counts.
        if (counts && (running != 0 || begun + 1 != launches_)) {
            leaving_ = true;
            storeRelaxedSystem(header_.abortWord, kOverlap);
        }
        if (flag_ == 1 && launches_ > 1 && header_.syncsAtWrap != 0) {
            leaving_ |= !syncWhereFlagsWrap(header_);
        }
        return true;
    }

    __device__ __forceinline__ void end() { endLaunch(header_, flag_, launches_, leaving_); }

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

    __device__ __forceinline__ const uint64* tableAt(uint32 at) const { return table_ + at; }

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
