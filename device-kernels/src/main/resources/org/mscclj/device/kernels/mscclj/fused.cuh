// Execution of a block whose steps are fused (FusedBlock.java): each thread carries out all moves of packets for one
// unit of data, then for the next. Nothing that a thread touches is touched by another one, so the block needs no
// barrier before its end. What is needed for the first packets is loaded first, with no wait in between; the
// bookkeeping of the launch follows behind these packets.
//
// A block has a record of the table: bits 0 to 47 of its first word are the number of units, the bits above are the
// shape; then the distance of the halves of scratch; then two words for each plain operand, its address, and its real
// bytes (high half) with those that are moved 8 at a time (low half, a multiple of 8); then the addresses of packets;
// then, for each reduction whose plain operand does not come last, how many packets come before it.
// Real bytes end before the units do where the rest of a chunk is padding, which is sent as zeros and not stored.
#pragma once
#include "mscclj/bookkeeping.cuh"
#include "mscclj/elements.cuh"
#include "mscclj/reduce.cuh"

namespace mscclj {

// How a launch goes on.
enum class Entrance { kOpen, kLeaving, kClosed };

// Enters a launch that is not like most: the block has left an earlier one, or flags have wrapped. Not inlined, as it
// would increase the register count of all launches.
static __device__ __noinline__ Entrance enterRarely(const LaunchHeader& header, bool left, uint64 launches) {
    if (left) {
        if (threadIdx.x == 0 && header.number != 0) {
            storeReleaseSystem(header.finished + blockIdx.x, header.number);
        }
        return Entrance::kClosed;
    }
    const bool wraps = launches > 1 && header.syncsAtWrap != 0;
    return wraps && !syncWhereFlagsWrap(header) ? Entrance::kLeaving : Entrance::kOpen;
}

// What all forms of packets have in common. Stored is the type of elements in memory.
template <class Stored, uint32 RecordWords>
class FusedBlock {
public:
    // Waits for earlier kernels of the stream, as such launches may begin early; loads the state, and does not wait for
    // it. The next launch may begin once this one is past that wait, if the host has reserved capacity for two launches
    // of this size: so the blocks of two launches at most are on the GPU at once, with capacity for both.
    __device__ __forceinline__ FusedBlock(const LaunchHeader& header, const uint64* table)
        : header_(header), record_(table + blockIdx.x * RecordWords), units_((uint32)record_[0]),
          state_(firstLoad(header)) {
        if (header.letsNext != 0) {
            letNextKernelBegin();
        }
    }

    __device__ __forceinline__ uint32 shape() const { return (uint32)(record_[0] >> 48); }

    // Whether the first unit may be loaded before the state is there. A replay of a graph whose operation is closed
    // must not: the memory of its operands may be freed, and only the state says so.
    __device__ __forceinline__ bool mayLoad() const { return header_.number != 0 || state_.y == 0; }

    __device__ __forceinline__ bool has(uint32 unit) const { return unit < units_ && !leaving_; }

    // Waits for the state. False if the block must do nothing, not even end(); see Block::begin, of which this is a
    // part: note() is the rest.
    __device__ __forceinline__ bool enter() {
        flag_ = state_.x;
        launches_ = ((uint64)state_.w << 32 | state_.z) + 1;
        half_ = (flag_ & 1) == 0 ? record_[1] : 0;
        if (state_.y != 0 || flag_ == 1) {
            const Entrance entrance = enterRarely(header_, state_.y != 0, launches_);
            leaving_ = entrance == Entrance::kLeaving;
            return entrance != Entrance::kClosed;
        }
        return true;
    }

    // Records that the launch has begun, and asks whether another launch of the communicator is at work. The answer is
    // looked at when the launch ends, so that no packet waits for it: a launch that overlaps another one ends the
    // communicator, whatever it has sent.
    __device__ __forceinline__ void note() {
        if (!noted_) {
            noted_ = true;
            const bool counts = threadIdx.x == 0;
            const bool first = counts && blockIdx.x == 0;
            BlockState& state = header_.blocks[blockIdx.x];
            running_ = exchangeDeviceIf(first, header_.running, 1);
            begun_ = loadRelaxedSystemIf(counts, &state.begun);
            storeRelaxedSystemIf(counts, &state.begun, launches_);
            storeRelaxedSystemIf(first, header_.counters + kStarted, launches_);
        }
    }

    __device__ __forceinline__ void end() {
        note();
        if (threadIdx.x == 0 && (running_ != 0 || begun_ + 1 != launches_)) {
            leaving_ = true;
            storeRelaxedSystem(header_.abortWord, kOverlap);
        }
        endLaunch(header_, flag_, launches_, leaving_);
    }

protected:
    // 8 bytes of a plain operand at an offset, if wanted; At is the place of the operand in the record.
    template <uint32 At>
    __device__ __forceinline__ Words2 loadPlain(uint32 offset, bool wanted = true) const {
        const uint64 lengths = record_[At + 1];
        const uint64 address = record_[At] + header_.roundShift + offset;
        Words2 data = load8If(wanted && offset < (uint32)lengths, address);
        if (wanted && offset >= (uint32)lengths && offset < (uint32)(lengths >> 32)) {
            data = loadElements<Stored>(address, rest(lengths, offset));
        }
        return data;
    }

    template <uint32 At>
    __device__ __forceinline__ void storePlain(uint32 offset, Words2 data) const {
        const uint64 lengths = record_[At + 1];
        const uint64 address = record_[At] + header_.roundShift + offset;
        if (offset < (uint32)lengths) {
            store8(address, data);
        } else if (offset < (uint32)(lengths >> 32)) {
            storeElements<Stored>(address, data, rest(lengths, offset));
        }
    }

    // The start of an operand in packets.
    template <uint32 At>
    __device__ __forceinline__ uint64 packets() const {
        return record_[At] + half_;
    }

    // How many packets come before the plain operand of a reduction.
    template <uint32 At>
    __device__ __forceinline__ uint32 before() const {
        return (uint32)record_[At];
    }

    __device__ __forceinline__ const uint32* abortWord() const { return header_.abortWord; }

    uint32 flag_ = 0;
    bool leaving_ = false;

private:
    __device__ __forceinline__ static Words4 firstLoad(const LaunchHeader& header) {
        awaitEarlierKernels();
        return load16((uint64)(header.blocks + blockIdx.x));
    }

    // Real bytes of 8 that are not moved as a whole.
    __device__ __forceinline__ static uint32 rest(uint64 lengths, uint32 offset) {
        const uint32 left = (uint32)(lengths >> 32) - offset;
        return left < 8 ? left : 8;
    }

    const LaunchHeader& header_;
    const uint64* record_;
    const uint32 units_;
    const Words4 state_;
    uint64 launches_ = 0;
    uint64 half_ = 0;
    uint64 running_ = 0;
    uint64 begun_ = 0;
    bool noted_ = false;
};

// Combines contributions in order.
template <class Element, class Operator, class Raw, class... More>
__device__ __forceinline__ Raw combineInOrder(Raw first, More... more) {
    Accumulator<Element, Operator, Raw> accumulator;
    accumulator.start(first);
    const Raw others[] = {more...};
#pragma unroll
    for (int i = 0; i < (int)sizeof...(More); i++) {
        accumulator.add(others[i]);
    }
    return accumulator.result();
}

} // namespace mscclj
