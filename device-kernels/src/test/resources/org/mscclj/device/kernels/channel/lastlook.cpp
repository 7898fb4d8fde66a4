// Runs the waits of the device library on the host, with memory that changes at a given time: when a wait loads the
// peer's word. A signal that a peer sends right before it closes thus arrives between a wait's poll of the counter and
// that of the word.
//
// Exits with 0 if each wait was correct; otherwise prints the wrong ones.
#include <stdint.h>
#include <stdio.h>

#define __device__
#define __forceinline__ inline
#define __noinline__

typedef uint64_t uint64;
typedef int64_t int64;
typedef uint32_t uint32;

static uint64 counter;
static uint64 awaited;
static uint32 word;
static uint32 packet;

// The action when the word is loaded.
static bool sends;
static bool closes;

namespace mscclj {

struct Words2 {
    uint32 x, y;
};
enum class PacketType { LL16 };

inline void pausePolling() {}
inline bool looksInRound(uint32) { return true; }
inline uint64 loadAcquireSystem(const uint64* address) { return *(volatile const uint64*)address; }
inline uint64 loadRelaxedSystem(const uint64* address) { return *(volatile const uint64*)address; }
inline uint32 loadRelaxedSystem(const uint32* address) {
    counter += sends ? 1 : 0;
    packet = sends ? 7 : packet;
    word = closes ? 1 : word;
    sends = false;
    return *(volatile const uint32*)address;
}
inline void fenceSystem() {}
inline bool compareAndSetDevice(uint64* address, uint64 expected, uint64 desired) {
    bool equal = *address == expected;
    *address = equal ? desired : *address;
    return equal;
}
inline uint64 fetchAddRelaxedDevice(uint64* address, uint64 value) {
    uint64 before = *address;
    *address += value;
    return before;
}
inline void addReleaseSystem(uint64* address, uint64 value) { *address += value; }
inline void addRelaxedSystem(uint64* address, uint64 value) { *address += value; }
inline Words2 load8(uint64) { return Words2{0, 0}; }
inline void store8(uint64, Words2) {}
inline void copy(uint64, uint64, uint64, uint64, uint64) {}
template <class T>
inline T loadValue(uint64) {
    return T();
}
template <class T>
inline void storeValue(uint64, T) {}
template <PacketType Type>
inline void storePacket(uint64, Words2, uint32) {}
template <PacketType Type>
inline bool tryLoadPacket(uint64 address, uint32 flag, Words2&) {
    return *(volatile const uint32*)address == flag;
}

} // namespace mscclj

#include "mscclj/memorychannel.cuh"

using namespace mscclj;

static int wrong;

template <class Wait>
static void expect(const char* what, bool sent, bool right, Wait wait) {
    counter = awaited = word = packet = 0;
    sends = sent;
    closes = true;
    if (wait() != right) {
        printf("%s gave %d, and right is %d\n", what, !right, right);
        wrong++;
    }
}

int main() {
    uint32 communicatorGoesOn = 0;
    const MemoryChannel channel{
        {&counter, &awaited, &communicatorGoesOn, &word}, &counter, 0, 0, (uint64)&packet, 0, 0, 16};
    auto wait = [&] { return channel.wait(); };
    auto relaxed = [&] { return channel.relaxedWait(); };
    auto unpack = [&] {
        Words2 data;
        return channel.unpackPacket<PacketType::LL16>(0, 7, data);
    };
    auto polls = [&] {
        while (!channel.poll()) {
            if (channel.peerGone()) {
                return channel.poll();
            }
        }
        return true;
    };
    expect("a wait for a signal that came before the closing", true, true, wait);
    expect("a relaxed wait for a signal that came before the closing", true, true, relaxed);
    expect("a packet that came before the closing", true, true, unpack);
    expect("polls for a signal that came before the closing", true, true, polls);
    expect("a wait for no signal", false, false, wait);
    expect("a relaxed wait for no signal", false, false, relaxed);
    expect("no packet", false, false, unpack);
    expect("polls for no signal", false, false, polls);
    return wrong == 0 ? 0 : 1;
}
