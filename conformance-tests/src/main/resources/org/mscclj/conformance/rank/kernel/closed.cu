// Waits for a rank that closes its communicator. What the rank has sent before arrives; after that each wait ends.
#include "mscclj/memorychannel.cuh"
#include "mscclj/portchannel.cuh"
#include "mscclj/syncer.cuh"
#include "mscclj/window.cuh"

using namespace mscclj;

// The number of signals that the rank sends on a memory channel before it closes. On a port channel and on a window it
// sends two.
constexpr uint64 kSignals = 3;
constexpr uint32 kFlag = 7;
constexpr uint64 kPacketBytes = 16;

// Runs in one thread, on the rank that closes.
extern "C" __global__ void sendToChannels(const MemoryChannel* memory, const PortChannel* port, uint64 packets) {
    memory->putPackets<PacketType::LL16>(packets, 0, 8, 0, 1, kFlag);
    for (uint64 i = 0; i < kSignals; i++) {
        memory->signal();
    }
    port->signal();
    port->signal();
}

extern "C" __global__ void sendToWindow(const Window* window, uint64 peer) {
    window->signal(peer);
    window->signal(peer);
}

// Polls until a signal arrives, or no further signal can arrive.
template <class Poll, class Gone>
__device__ bool pollAll(Poll poll, Gone gone) {
    while (!poll()) {
        if (gone()) {
            return poll();
        }
    }
    return true;
}

// Runs two blocks. The first block receives signals until a wait ends without one, and writes their number. The second
// block only enters a block sync with the first one, and writes 2 if the block sync is abandoned.
extern "C" __global__ void takeAll(const MemoryChannel* memory, DeviceSyncer* syncer, uint64* status) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            uint64 taken = 0;
            while (memory->wait()) {
                taken++;
            }
            status[0] = taken;
            syncer->abandon();
        }
        return;
    }
    bool met = syncer->sync(gridDim.x, memory->abortWord());
    if (threadIdx.x == 0) {
        status[1] = met ? 1 : 2;
    }
}

// Waits in every way, by one thread, after the peer has closed. The status has a bit for each correct result, from
// bit 0 on.
extern "C" __global__ void lateOnChannels(const MemoryChannel* memory, const PortChannel* port, uint64* status) {
    auto poll = [&] { return port->poll(); };
    auto gone = [&] { return port->peerGone(); };
    Words2 data;
    uint64 right = 0;
    right |= (uint64)memory->unpackPacket<PacketType::LL16>(0, kFlag, data);
    right |= (uint64)!memory->unpackPacket<PacketType::LL16>(kPacketBytes, kFlag, data) << 1;
    right |= (uint64)!memory->getPackets<PacketType::LL16>(kPacketBytes, 0, 8, 0, 1, kFlag) << 2;
    right |= (uint64)!memory->wait() << 3;
    right |= (uint64)!memory->relaxedWait() << 4;
    right |= (uint64)memory->peerGone() << 5;
    right |= (uint64)!memory->aborted() << 6;
    right |= (uint64)port->wait() << 7;
    right |= (uint64)pollAll(poll, gone) << 8;
    right |= (uint64)!port->wait() << 9;
    right |= (uint64)!pollAll(poll, gone) << 10;
    right |= (uint64)!port->aborted() << 11;
    *status = right;
}

// Checks that a signal which arrives right before the peer's word is set is received, wherever the wait is at that
// moment. The first of two blocks waits. The second block is the peer, and also the host that sets the word. Writes the
// number of signals that were received.
//
// words: one line each for the number of signals that have arrived, the number of signals that were awaited, the peer's
// word, and the round of each block
extern "C" __global__ void lastLooks(uint64* words, uint64 rounds, uint64* status) {
    uint32* peerWord = (uint32*)(words + 32);
    uint64* awaited = words + 48;
    uint64* lowered = words + 64;
    if (blockIdx.x == 0) {
        const InboundSignals signals{words, words + 16, peerWord, peerWord};
        uint64 received = 0;
        for (uint64 round = 1; round <= rounds; round++) {
            received += signals.wait() ? 1 : 0;
            storeReleaseSystem(awaited, round);
            while (loadAcquireSystem(lowered) < round) {
            }
        }
        *status = received;
        return;
    }
    for (uint64 round = 1; round <= rounds; round++) {
        for (uint64 pause = round * 37 % 512; pause > 0; pause--) {
            loadRelaxedSystem(awaited);
        }
        addReleaseSystem(words, 1);
        fenceSystem(); // the host sets the word with release
        storeRelaxedSystem(peerWord, 1);
        while (loadAcquireSystem(awaited) < round) {
        }
        storeRelaxedSystem(peerWord, 0);
        storeReleaseSystem(lowered, round);
    }
}

extern "C" __global__ void takeAllOfWindow(const Window* window, uint64 peer, uint64* status) {
    uint64 taken = 0;
    while (window->wait(peer)) {
        taken++;
    }
    auto poll = [&] { return window->poll(peer); };
    auto gone = [&] { return window->peerGone(peer); };
    bool right = taken == 2 && !pollAll(poll, gone) && !window->aborted();
    *status = right ? 100 : taken;
}

extern "C" __global__ void lateOnWindow(const Window* window, uint64 peer, uint64* status) {
    auto poll = [&] { return window->poll(peer); };
    auto gone = [&] { return window->peerGone(peer); };
    uint64 right = 0;
    right |= (uint64)window->wait(peer);
    right |= (uint64)pollAll(poll, gone) << 1;
    right |= (uint64)!window->wait(peer) << 2;
    right |= (uint64)!pollAll(poll, gone) << 3;
    right |= (uint64)!window->aborted() << 4;
    *status = right;
}
