package org.mscclj.plan.simulate;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * How to simulate.
 *
 * @param scratchLimit greatest size of a rank's scratch, in bytes; larger messages take several rounds
 * @param spans whether to keep what happened when; without, time and links are told, and memory does not grow with the operations
 */
public record SimulationOptions(long scratchLimit, boolean spans) {
    /** 64 MiB of scratch, as engines have it; with spans. */
    public static final SimulationOptions DEFAULT = new SimulationOptions(64L << 20, true);

    /** Checks the limit. */
    public SimulationOptions {
        if (scratchLimit < 1) {
            throw InvalidArgumentException.of("scratch limit", scratchLimit + " bytes", "1 or more");
        }
    }

    /** The same, with or without spans. */
    public SimulationOptions withSpans(boolean kept) {
        return new SimulationOptions(scratchLimit, kept);
    }
}
