// The device's clock, and the protocol by which the host reads it.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

struct ClockArguments {
    uint64* words;        // in host memory: last request, last answer, value of the clock at that answer
    uint64 questions;     // number of requests, which are numbered from 1
    uint64 timeout;       // nanoseconds after which the kernel ends
};

static_assert(sizeof(ClockArguments) == 24, "as the host has it");

// One thread answers the requests of the host. The time is written before the answer, which releases it.
__device__ __forceinline__ void answerClock(const ClockArguments& arguments) {
    const uint64 end = deviceNanos() + arguments.timeout;
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
