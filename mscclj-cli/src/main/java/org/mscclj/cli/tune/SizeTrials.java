package org.mscclj.cli.tune;

import java.util.List;

/**
 * What was measured for a size.
 *
 * @param bytes the size of the message
 * @param tried the first times of all candidates that serve the call, the fastest first
 * @param finals the times of the fastest ones whose result is right, measured in turns; empty if there are none
 * @param untunedMicros the time of a call that names no program, in microseconds
 * @param peerMicros the time of each peer; NaN if it does not support the call
 */
record SizeTrials(
        long bytes,
        List<TimedCandidate> tried,
        List<TimedCandidate> finals,
        double untunedMicros,
        List<Double> peerMicros) {
    SizeTrials {
        tried = List.copyOf(tried);
        finals = List.copyOf(finals);
        peerMicros = List.copyOf(peerMicros);
    }

    /** Returns the time of the fastest candidate. */
    double bestMicros() {
        return finals.stream()
                .mapToDouble(TimedCandidate::micros)
                .min()
                .orElseThrow(() -> new IllegalStateException("a size without a program"));
    }
}
