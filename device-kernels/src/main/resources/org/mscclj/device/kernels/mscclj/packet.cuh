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
        asm volatile("st.volatile.global.v4.u32 [%0], {%1, %3, %2, %3};" ::"l"(address), "r"(data.x), "r"(data.y),
                     "r"(flag)
                     : "memory");
    } else {
        asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(address), "r"(data.x), "r"(flag) : "memory");
        asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(address + 8), "r"(data.y), "r"(flag) : "memory");
    }
}

// Whether the packet is valid; if so, `data` is its payload.
template <PacketType Type>
__device__ __forceinline__ bool tryLoadPacket(uint64 address, uint32 flag, Words2& data) {
    uint32 first, second;
    if constexpr (Type == PacketType::LL16) {
        asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(data.x), "=r"(first), "=r"(data.y), "=r"(second)
                     : "l"(address)
                     : "memory");
    } else {
        asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(data.x), "=r"(first) : "l"(address) : "memory");
        asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];"
                     : "=r"(data.y), "=r"(second)
                     : "l"(address + 8)
                     : "memory");
    }
    return first == flag && second == flag;
}

} // namespace mscclj
