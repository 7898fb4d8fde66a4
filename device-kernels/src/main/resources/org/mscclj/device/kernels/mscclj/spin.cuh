// Waiting for memory that a peer or another block changes. Every wait watches the communicator's abort word, so that no kernel
// outlives its peers' loss; or, where it is for one peer by a channel or window of the user, that peer's word. The
// host sets a peer's word when it sets the communicator's, and when the peer has closed its communicator. Waits for
// blocks of this device, and for this rank's proxy, end by themselves whatever a peer has closed.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

// One thread's patience. The abort word lies in memory of the host, which takes over a microsecond to read: it is asked every so many turns.
class Spin {
public:
    __device__ __forceinline__ explicit Spin(const uint32* abortWord) : abortWord_(abortWord) {}

    // To be called after each vain look; whether to look again. False once the word is set. Orders nothing; see
    // lastLook.
    __device__ __forceinline__ bool again() {
        if (++turns_ % kTurnsBetweenLooks != 0) {
            return true;
        }
        return loadRelaxedSystem(abortWord_) == 0;
    }

private:
    static constexpr uint32 kTurnsBetweenLooks = 1024;

    const uint32* abortWord_;
    uint32 turns_ = 0;
};

// To be called when a wait for a peer has seen the peer's word set, and before its last look: that look sees what the
// peer sent before it closed.
//
// Happens-before: what the peer's kernels have sent, released at system scope, happens before their end, which the
// peer's host has seen before it closed the communicator. Word of the closing reached this rank's host by a message,
// after which the host set the peer's word with release. The relaxed load that saw it, and this fence, acquire that.
// So the load behind the fence gives what was sent, or something later. What a transport carries is not ordered by the
// message: for that the host waits before it sets the word, as it does in waits of its own (ClosedPeer.java).
__device__ __forceinline__ void lastLook() { fenceSystem(); }

// Waits until a counter that anybody on any device raises has reached a value; acquires. False if the communicator was aborted.
__device__ __forceinline__ bool awaitCounter(const uint64* counter, uint64 value, const uint32* abortWord) {
    Spin spin(abortWord);
    while (loadAcquireSystem(counter) < value) {
        if (!spin.again()) {
            return false;
        }
    }
    return true;
}

// The same for a counter that one peer raises. False if the peer's word is set, and the counter has not arrived.
__device__ __forceinline__ bool awaitPeer(const uint64* counter, uint64 value, const uint32* peerWord) {
    if (awaitCounter(counter, value, peerWord)) {
        return true;
    }
    lastLook();
    return loadAcquireSystem(counter) >= value;
}

} // namespace mscclj
