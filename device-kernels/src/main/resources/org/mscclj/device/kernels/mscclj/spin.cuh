// Waiting for memory that somebody else changes. Every wait watches the communicator's abort word, so that no kernel outlives its peers' loss.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

// One thread's patience. The abort word lies in memory of the host, which takes over a microsecond to read: it is asked every so many turns.
class Spin {
public:
    __device__ __forceinline__ explicit Spin(const uint32* abortWord) : abortWord_(abortWord) {}

    // To be called after each vain look; whether to look again. False once the communicator is aborted.
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

} // namespace mscclj
