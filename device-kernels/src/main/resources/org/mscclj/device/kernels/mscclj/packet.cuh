// LL packets: data with flags. A packet is valid if its flag is that of the launch, so neither side needs a signal.
//
// Both formats store eight bytes of payload as {data, flag, data, flag}, 32 bits each. They differ in the width of
// accesses: all sixteen bytes in LL16, each pair of data and flag in LL8. Aligned stores of eight bytes are atomic, and
// each pair lies in one, so both are safe.
//
// Ordering: a packet is ordered after the loads, and the packets, from which its data was computed, and after nothing
// else.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

enum class PacketType { LL8, LL16 };

template <PacketType Type>
__device__ __forceinline__ void storePacket(uint64 address, Words2 data, uint32 flag) {
    if constexpr (Type == PacketType::LL16) {
        storePairs(address, Words4{data.x, flag, data.y, flag});
    } else {
        storePair(address, Words2{data.x, flag});
        storePair(address + 8, Words2{data.y, flag});
    }
}

// Whether the packet is valid; if so, `data` is its payload.
template <PacketType Type>
__device__ __forceinline__ bool tryLoadPacket(uint64 address, uint32 flag, Words2& data) {
    if constexpr (Type == PacketType::LL16) {
        const Words4 packet = loadPairs(address);
        data = Words2{packet.x, packet.z};
        return packet.y == flag && packet.w == flag;
    } else {
        const Words2 first = loadPair(address);
        const Words2 second = loadPair(address + 8);
        data = Words2{first.x, second.x};
        return first.y == flag && second.y == flag;
    }
}

} // namespace mscclj
