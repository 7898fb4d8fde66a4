package org.mscclj.cli.tune;

import java.util.List;

/**
 * What was measured for a size.
 *
 * @param bytes the size of the message
 * @param tried the first times of all candidates that serve the call, the fastest first
 * @param finals the times of the fastest ones, measured in turns
 * @param untunedMicros the time of a call that names no program, in microseconds
 */
record SizeTrials(long bytes, List<TimedCandidate> tried, List<TimedCandidate> finals, double untunedMicros) {
    SizeTrials {
        tried = List.copyOf(tried);
        finals = List.copyOf(finals);
    }

    /** Returns the time of the fastest candidate. */
    double bestMicros() {
        return finals.stream()
                .mapToDouble(TimedCandidate::micros)
                .min()
                .orElseThrow(() -> new IllegalStateException("a size without a program"));
    }
}
