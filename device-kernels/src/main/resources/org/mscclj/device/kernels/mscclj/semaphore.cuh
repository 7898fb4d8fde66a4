// Semaphores between blocks of one device.
#pragma once
#include "mscclj/spin.cuh"

namespace mscclj {

// A semaphore in device memory. Its value is the content of the memory, and is never below 0.
struct DeviceSemaphore {
    uint64 value;

    // Decrements the value, waiting until it is above 0. Called by one thread. Acquires, at device scope, what was
    // released by increments, for this thread and for those that synchronise with it afterwards. False if the
    // communicator was aborted.
    __device__ __forceinline__ bool acquire(const uint32* abortWord) {
        Spin spin(abortWord);
        while (true) {
            uint64 now = loadAcquireDevice(&value);
            if (now != 0 && compareAndSetDevice(&value, now, now - 1)) {
                return true;
            }
            if (!spin.again()) {
                return false;
            }
        }
    }

    // Increments the value. Called by one thread. Releases, at device scope, all earlier writes of this thread, and of
    // threads with which it synchronised before.
    __device__ __forceinline__ void release() { fetchAddDevice(&value, 1); }
};

static_assert(sizeof(DeviceSemaphore) == 8, "what users allocate");

} // namespace mscclj
