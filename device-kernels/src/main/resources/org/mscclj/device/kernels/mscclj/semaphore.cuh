// Semaphores between blocks of one device.
#pragma once
#include "mscclj/spin.cuh"

namespace mscclj {

// Lies in memory of the device. Its value is what the memory holds, and is never below 0.
struct DeviceSemaphore {
    uint64 value;

    // Lowers the value by one, waiting until it is above 0. One thread. Acquires, at device scope, what those who raised it had released, for this
    // thread and for those that it meets afterwards. False if the communicator was aborted.
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

    // Raises the value by one. One thread. Releases, at device scope, what this thread wrote before, and what threads that it has met wrote before
    // that.
    __device__ __forceinline__ void release() { fetchAddDevice(&value, 1); }
};

static_assert(sizeof(DeviceSemaphore) == 8, "what users allocate");

} // namespace mscclj
