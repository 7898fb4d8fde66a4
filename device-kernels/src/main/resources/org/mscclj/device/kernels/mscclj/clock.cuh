// The device's clock, and how the host finds out what it says when.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

// Nanoseconds of the device's own clock, which all its multiprocessors share.
__device__ __forceinline__ uint64 deviceNanos() {
    uint64 nanos;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(nanos)::"memory");
    return nanos;
}

struct ClockArguments {
    uint64* words;        // in memory of the host: the last question, the last answer, and what the clock said at that answer
    uint64 questions;     // how many there will be, counted from 1
    uint64 patience;      // nanoseconds in which all must have come
};

static_assert(sizeof(ClockArguments) == 24, "as the host has it");

// One thread answers the host. The time is written before the answer, which releases it.
__device__ __forceinline__ void answerClock(const ClockArguments& arguments) {
    const uint64 end = deviceNanos() + arguments.patience;
    for (uint64 question = 1; question <= arguments.questions; question++) {
        while (loadAcquireSystem(arguments.words) < question) {
            if (deviceNanos() > end) {
                return;
            }
        }
        storeRelaxedSystem(arguments.words + 2, deviceNanos());
        storeReleaseSystem(arguments.words + 1, question);
    }
}

} // namespace mscclj
