// The signals that arrive at this rank through a channel, with the waits of kernels for them.
#pragma once
#include "mscclj/spin.cuh"

namespace mscclj {

// Exactly one wait or successful poll, of any thread of any block, consumes a signal. The host writes this structure
// (InboundSignals.java, and its test).
struct InboundSignals {
    const uint64* counter;   // number of signals that have arrived; the peer raises it
    uint64* awaited;         // number of signals that waits have consumed or claimed; in device memory
    const uint32* abortWord; // in host memory; not 0 once the communicator is aborted
    const uint32* peerWord;  // likewise; also not 0 once the peer has closed its communicator

    // See MemoryChannel and PortChannel.
    __device__ __forceinline__ bool poll() const {
        uint64 arrived = loadAcquireSystem(counter);
        uint64 taken = loadRelaxedSystem(awaited);
        while (taken < arrived) {
            if (compareAndSetDevice(awaited, taken, taken + 1)) {
                return true;
            }
            taken = loadRelaxedSystem(awaited);
        }
        return false;
    }

    __device__ __forceinline__ bool wait() const {
        return awaitPeer(counter, fetchAddRelaxedDevice(awaited, 1) + 1, peerWord);
    }

    __device__ __forceinline__ bool relaxedWait() const {
        uint64 expected = fetchAddRelaxedDevice(awaited, 1) + 1;
        Spin spin(peerWord);
        while (loadRelaxedSystem(counter) < expected) {
            if (!spin.again()) {
                lastLook();
                return loadRelaxedSystem(counter) >= expected;
            }
        }
        return true;
    }

    __device__ __forceinline__ bool aborted() const { return loadRelaxedSystem(abortWord) != 0; }

    __device__ __forceinline__ bool peerGone() const {
        if (loadRelaxedSystem(peerWord) == 0) {
            return false;
        }
        lastLook();
        return true;
    }
};

static_assert(sizeof(InboundSignals) == 32, "as the host has it");

} // namespace mscclj
