package org.mscclj.plan.simulate;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * How to simulate.
 *
 * @param scratchLimit greatest size of a rank's scratch, in bytes; larger messages take several rounds
 * @param mostSpans how many operations what happened when is kept of, each iteration of a pipeline counted; of a launch
 *     with more, or if it is 0, only time and links are told, and memory does not grow with the operations
 */
public record SimulationOptions(long scratchLimit, int mostSpans) {
    /** Spans that fit a usual heap. */
    public static final int USUAL_SPANS = 2_000_000;

    /** 64 MiB of scratch, as engines have it for plans that a caller brings; with spans. */
    public static final SimulationOptions DEFAULT = new SimulationOptions(64L << 20, USUAL_SPANS);

    /** Checks the limits. */
    public SimulationOptions {
        if (scratchLimit < 1) {
            throw InvalidArgumentException.of("scratch limit", scratchLimit + " bytes", "1 or more");
        }
        if (mostSpans < 0) {
            throw InvalidArgumentException.of("number of spans to keep", mostSpans, "0 or more");
        }
    }

    /** The same with so many spans. */
    public SimulationOptions withMostSpans(int most) {
        return new SimulationOptions(scratchLimit, most);
    }

    /** The same, and nothing is kept but time and links. */
    public SimulationOptions withoutSpans() {
        return withMostSpans(0);
    }

    /** The same with another limit of scratch. */
    public SimulationOptions withScratchLimit(long limit) {
        return new SimulationOptions(limit, mostSpans);
    }
}
