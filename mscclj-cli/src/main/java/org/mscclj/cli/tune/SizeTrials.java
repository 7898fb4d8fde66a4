package org.mscclj.cli.tune;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

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

    /**
     * Returns the time of a candidate: that of the last contest, else the first, rough one; NaN if it was not measured.
     */
    double micros(Candidate candidate) {
        return candidate.equals(Candidate.UNTUNED)
                ? untunedMicros
                : Stream.of(finals, tried)
                        .flatMapToDouble(times -> micros(candidate, times).stream())
                        .findFirst()
                        .orElse(Double.NaN);
    }

    /** Returns the time of a candidate among some; empty if it is not there. */
    static OptionalDouble micros(Candidate candidate, List<TimedCandidate> times) {
        return times.stream()
                .filter(one -> one.candidate().equals(candidate))
                .mapToDouble(TimedCandidate::micros)
                .findFirst();
    }
}
