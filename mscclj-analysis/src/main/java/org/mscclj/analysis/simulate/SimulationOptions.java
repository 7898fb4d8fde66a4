package org.mscclj.analysis.simulate;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * Options of a simulation.
 *
 * @param scratchLimit greatest size of a rank's scratch in bytes; larger messages take several rounds
 * @param maxSpans greatest number of operations for which spans are kept, each iteration of a pipeline counted. If a
 *     launch has more operations, or this is 0, the result holds only times and links, and memory does not grow with
 *     the number of operations
 */
public record SimulationOptions(long scratchLimit, int maxSpans) {
    /** Spans that fit a heap of default size. */
    public static final int DEFAULT_SPANS = 2_000_000;

    /** 64 MiB of scratch, the limit of engines for plans of callers; with spans. */
    public static final SimulationOptions DEFAULT = new SimulationOptions(64L << 20, DEFAULT_SPANS);

    /** Checks the limits. */
    public SimulationOptions {
        if (scratchLimit < 1) {
            throw InvalidArgumentException.of("scratch limit", scratchLimit + " bytes", "1 or more");
        }
        if (maxSpans < 0) {
            throw InvalidArgumentException.of("number of spans to keep", maxSpans, "0 or more");
        }
    }

    /** These options with another greatest number of spans. */
    public SimulationOptions withMaxSpans(int most) {
        return new SimulationOptions(scratchLimit, most);
    }

    /** These options without spans. */
    public SimulationOptions withoutSpans() {
        return withMaxSpans(0);
    }

    /** These options with another limit of scratch. */
    public SimulationOptions withScratchLimit(long limit) {
        return new SimulationOptions(limit, maxSpans);
    }
}
