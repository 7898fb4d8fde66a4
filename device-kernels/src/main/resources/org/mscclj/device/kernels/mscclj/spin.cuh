// Waits for memory that a peer or another block changes. Every wait polls the communicator's abort word, so that no
// kernel outlives the loss of its peers. A wait for one peer, by a channel or window of the user, polls that peer's
// word instead. The host sets a peer's word when it sets the communicator's, and when the peer has closed its
// communicator. Waits for blocks of this device, and for this rank's proxy, do not depend on peers that close.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

// Whether a wait goes on that has taken some rounds of turns. A function of its own: inside the loop of a wait, its
// branches let the compiler separate the threads of a warp, and lines of 128 bytes are then sent after a fence only.
static __device__ __noinline__ bool goesOn(const uint32* abortWord, uint32 round) {
    return !looksInRound(round) || loadRelaxedSystem(abortWord) == 0;
}

// The wait loop of one thread. The abort word is in host memory, and a read takes over a microsecond, so it is read at
// intervals only, and by few warps at once.
class Spin {
public:
    __device__ __forceinline__ explicit Spin(const uint32* abortWord) : abortWord_(abortWord) {}

    // Called after each failed poll, which may count as several turns if it takes long; returns whether to poll again.
    // False once the word is set. Orders nothing; see lastLook.
    template <uint32 Turns = 1>
    __device__ __forceinline__ bool again() {
        static_assert(kTurnsBetweenLooks % Turns == 0, "a turn in which the word is read must come");
        pausePolling();
        turns_ += Turns;
        if (turns_ % kTurnsBetweenLooks != 0) {
            return true;
        }
        return goesOn(abortWord_, turns_ / kTurnsBetweenLooks);
    }

private:
    static constexpr uint32 kTurnsBetweenLooks = 1024;

    const uint32* abortWord_;
    uint32 turns_ = 0;
};

// Called after a wait for a peer has seen the peer's word set, and before its last poll, which sees what the peer sent
// before it closed.
//
// Happens-before: what the peer's kernels have sent, released at system scope, happens before their end, which the
// peer's host has seen before it closed the communicator. A message informed this rank's host of the closing, and the
// host then set the peer's word with release. The relaxed load that saw the word, and this fence, acquire that. The
// load after the fence therefore returns what was sent, or a later value. The message does not order data of a
// transport: for that, the host waits before it sets the word, as in its own waits (ClosedPeer.java).
__device__ __forceinline__ void lastLook() { fenceSystem(); }

// Waits until a counter, which any thread of any device may raise, reaches a value; acquires. False if the communicator
// was aborted.
__device__ __forceinline__ bool awaitCounter(const uint64* counter, uint64 value, const uint32* abortWord) {
    Spin spin(abortWord);
    while (loadAcquireSystem(counter) < value) {
        if (!spin.again()) {
            return false;
        }
    }
    return true;
}

// Waits for a counter that one peer raises; acquires. False if the peer's word is set before the counter reaches the
// value.
__device__ __forceinline__ bool awaitPeer(const uint64* counter, uint64 value, const uint32* peerWord) {
    if (awaitCounter(counter, value, peerWord)) {
        return true;
    }
    lastLook();
    return loadAcquireSystem(counter) >= value;
}

} // namespace mscclj
