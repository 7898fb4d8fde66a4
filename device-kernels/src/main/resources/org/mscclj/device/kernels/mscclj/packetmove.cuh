// Moves of packets: P packets and up to one plain source are reduced, the packets in order, and the result is stored in
// up to one plain destination and in packets. The plain source comes last, unless the move has one more word, which
// says how many packets come before it. Operands are the plain source if there is one, the packets
// read, the plain destination if there is one, and the packets written. Offsets of packets are twice those of payload.
//
// A unit is 8 bytes of payload. The units of a run are whole except for the unit in which a slice ends: bits 56 to 59
// and 60 to 63 of the word of the run's length then hold the number of real bytes of the plain source and of the plain
// destination, and the run consists of that unit. Packets are also sent for padding, so that sender and receiver count
// alike.
#pragma once
#include "mscclj/elements.cuh"
#include "mscclj/run.cuh"

namespace mscclj {

// Reads all packets of a unit; false if the communicator was aborted.
template <class B, int P>
__device__ __forceinline__ bool loadPackets(const B& block, const uint64* addresses, uint64 offset, Words2* payload) {
    bool arrived[P];
    bool all = true;
#pragma unroll
    for (int p = 0; p < P; p++) {
        arrived[p] = tryLoadPacket<B::kPackets>(addresses[p] + offset, block.flag(), payload[p]);
        all &= arrived[p];
    }
    if (all) {
        return true;
    }
    Spin spin(block.abortWord());
    while (true) {
        all = true;
#pragma unroll
        for (int p = 0; p < P; p++) {
            if (!arrived[p]) {
                arrived[p] = tryLoadPacket<B::kPackets>(addresses[p] + offset, block.flag(), payload[p]);
                all &= arrived[p];
            }
        }
        if (all) {
            return true;
        }
        if (!spin.again()) {
            return false;
        }
    }
}

// Stores packets of a run at their addresses, or all of them at one multicast address.
struct StoresEach {
    static constexpr int kWords = 0;

    template <class B, int Count>
    __device__ __forceinline__ StoresEach(const B&, const Addresses<Count>&, uint32, uint32) {}

    template <PacketType Type, int D>
    __device__ __forceinline__ void store(const uint64* addresses, uint64 offset, Words2 data, uint32 flag) const {
#pragma unroll
        for (int d = 0; d < D; d++) {
            storePacket<Type>(addresses[d] + offset, data, flag);
        }
    }
};

template <bool PlainSource, int P, bool PlainDestination, int D, uint64 WithHalf, bool Placed = false,
          class Stores = StoresEach, class B>
__device__ __forceinline__ void movePackets(B& block, uint32 at) {
    constexpr int kCount = (PlainSource ? 1 : 0) + P + (PlainDestination ? 1 : 0) + D;
    constexpr int kPackets = PlainSource ? 1 : 0;
    constexpr int kPlainDestination = kPackets + P;
    constexpr int kDestinations = kPlainDestination + (PlainDestination ? 1 : 0);
    constexpr int kContributions = P + (PlainSource ? 1 : 0);
    using Stored = typename B::Element::Stored;
    if (block.leaving()) {
        return;
    }
    uint64 where = block.word(at);
    uint32 runs = (uint32)(where >> 32);
    uint32 run = (uint32)where;
    const uint32 before = Placed ? (uint32)block.word(at + 1 + __popcll(WithHalf)) : P;
    for (uint32 i = 0; i < runs; i++, run += 2 + kCount + Stores::kWords) {
        uint64 lengths = block.tableWord(run + 1);
        uint64 length = lengths & ((1ull << 56) - 1);
        bool isPartial = lengths >> 56 != 0;
        uint32 sourceBytes = isPartial ? (uint32)(lengths >> 56) & 15 : 8;
        uint32 destinationBytes = isPartial ? (uint32)(lengths >> 60) : 8;
        const Addresses<kCount> operands = Operands<kCount, WithHalf>::addresses(block, at, run + 2);
        const Stores stores(block, operands, at, run + 2 + kCount);
        const uint64 source = PlainSource ? operands.at[0] : 0;
        const uint64 destination = PlainDestination ? operands.at[kPlainDestination] : 0;
        const bool sourceAligned = (source & 7) == 0;
        const bool destinationAligned = (destination & 7) == 0;
        for (uint64 offset = threadIdx.x * 8ull; offset < length; offset += blockDim.x * 8ull) {
            Words2 plain = Words2{0, 0};
            if (PlainSource && source != 0) {
                plain = sourceBytes == 8 && sourceAligned ? load8(source + offset)
                                                          : loadElements<Stored>(source + offset, sourceBytes);
            }
            Words2 result = plain;
            if constexpr (P > 0) {
                Words2 payload[P];
                if (!loadPackets<B, P>(block, operands.at + kPackets, 2 * offset, payload)) {
                    block.leave();
                    return;
                }
                result = payload[0];
                if constexpr (Placed) {
                    result = combineAround<typename B::Element, typename B::Operator>(before, plain, payload);
                } else if constexpr (kContributions > 1) {
                    Accumulator<typename B::Element, typename B::Operator, Words2> accumulator;
                    accumulator.start(payload[0]);
#pragma unroll
                    for (int p = 1; p < P; p++) {
                        accumulator.add(payload[p]);
                    }
                    if (PlainSource) {
                        accumulator.add(plain);
                    }
                    result = accumulator.result();
                }
            }
            if (PlainDestination && destination != 0) {
                if (destinationBytes == 8 && destinationAligned) {
                    store8(destination + offset, result);
                } else {
                    storeElements<Stored>(destination + offset, result, destinationBytes);
                }
            }
            stores.template store<B::kPackets, D>(operands.at + kDestinations, 2 * offset, result, block.flag());
        }
    }
}

} // namespace mscclj
