// Execution of a block whose steps are fused (FusedBlock.java): each thread carries out all moves of packets for one
// unit of 8 bytes, then for the next. Nothing that a thread touches is touched by another one, so the block needs no
// barrier before its end. What is needed for the first packets is loaded first, with no wait in between; the
// bookkeeping of the launch follows behind these packets.
//
// A block has a record of the table: bits 0 to 47 of its first word are the number of units, the bits above are the
// shape; then the distance of the halves of scratch; then two words for each plain operand, its address, and its real
// bytes (high half) with those that are moved 8 at a time (low half, a multiple of 8); then the addresses of packets.
// Real bytes end before the units do where the rest of a chunk is padding, which is sent as zeros and not stored.
#pragma once
#include "mscclj/bookkeeping.cuh"
#include "mscclj/elements.cuh"
#include "mscclj/packet.cuh"
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

template <class ElementType, class OperatorType, PacketType Packets, uint32 RecordWords>
class FusedBlock {
public:
    using Element = ElementType;
    using Payload = Words2;

    // Loads the state, and does not wait for it.
    __device__ __forceinline__ FusedBlock(const LaunchHeader& header, const uint64* table)
        : header_(header), record_(table + blockIdx.x * RecordWords), units_((uint32)record_[0]),
          state_(load16((uint64)(header.blocks + blockIdx.x))) {}

    __device__ __forceinline__ uint32 shape() const { return (uint32)(record_[0] >> 48); }

    __device__ __forceinline__ uint32 first() const { return threadIdx.x; }

    __device__ __forceinline__ uint32 next(uint32 unit) const { return unit + blockDim.x; }

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

    // --- for moves; At is the place of the operand in the record ---

    template <uint32 At>
    __device__ __forceinline__ Payload load(uint32 unit) const {
        const uint64 lengths = record_[At + 1];
        const uint64 address = plain<At>(unit);
        Payload data = load8If(unit * 8 < (uint32)lengths, address);
        if (unit * 8 >= (uint32)lengths && unit * 8 < (uint32)(lengths >> 32)) {
            data = loadElements<typename Element::Stored>(address, rest(lengths, unit));
        }
        return data;
    }

    template <uint32 At>
    __device__ __forceinline__ void store(uint32 unit, Payload data) const {
        const uint64 lengths = record_[At + 1];
        if (unit * 8 < (uint32)lengths) {
            store8(plain<At>(unit), data);
        } else if (unit * 8 < (uint32)(lengths >> 32)) {
            storeElements<typename Element::Stored>(plain<At>(unit), data, rest(lengths, unit));
        }
    }

    template <uint32 At>
    __device__ __forceinline__ void send(uint32 unit, Payload data) const {
        storePacket<Packets>(packets<At>(unit), data, flag_);
    }

    // Waits for packets of several operands together; false if the communicator was aborted.
    template <uint32... At>
    __device__ __forceinline__ bool receive(uint32 unit, Payload* data) {
        constexpr int kCount = sizeof...(At);
        const uint64 addresses[kCount] = {packets<At>(unit)...};
        Spin spin(header_.abortWord);
        while (true) {
            bool there[kCount];
#pragma unroll
            for (int i = 0; i < kCount; i++) {
                there[i] = tryLoadPacket<Packets>(addresses[i], flag_, data[i]);
            }
            bool all = true;
#pragma unroll
            for (int i = 0; i < kCount; i++) {
                all &= there[i];
            }
            if (all) {
                return true;
            }
            if (!spin.again()) {
                leaving_ = true;
                return false;
            }
        }
    }

    // Combines contributions in order.
    template <class... More>
    __device__ __forceinline__ Payload combine(Payload first, More... more) const {
        Accumulator<Element, OperatorType, Payload> accumulator;
        accumulator.start(first);
        const Payload others[] = {more...};
#pragma unroll
        for (int i = 0; i < (int)sizeof...(More); i++) {
            accumulator.add(others[i]);
        }
        return accumulator.result();
    }

private:
    template <uint32 At>
    __device__ __forceinline__ uint64 plain(uint32 unit) const {
        return record_[At] + header_.roundShift + unit * 8ull;
    }

    template <uint32 At>
    __device__ __forceinline__ uint64 packets(uint32 unit) const {
        return record_[At] + half_ + unit * 16ull;
    }

    // Real bytes of a unit that is not moved as a whole.
    __device__ __forceinline__ static uint32 rest(uint64 lengths, uint32 unit) {
        const uint32 left = (uint32)(lengths >> 32) - unit * 8;
        return left < 8 ? left : 8;
    }

    const LaunchHeader& header_;
    const uint64* record_;
    const uint32 units_;
    const Words4 state_;
    uint32 flag_ = 0;
    uint64 launches_ = 0;
    uint64 half_ = 0;
    uint64 running_ = 0;
    uint64 begun_ = 0;
    bool noted_ = false;
    bool leaving_ = false;
};

} // namespace mscclj
