package org.mscclj.analysis.simulate.topology;

/**
 * The costs of blocks whose moves GPUs fuse, in nanoseconds. They replace those of operations.
 *
 * @param begin from the start of a block until its first packets leave, less what an early launch saves
 * @param reaction from the arrival of packets until the block's next packets leave, or its results are stored
 * @param lines what a launch takes longer if its packets are lines of 128 bytes
 */
public record FusedCosts(double begin, double reaction, double lines) {
    /** Checks the numbers. */
    public FusedCosts {
        Positive.nanos("fused_begin", begin);
        Positive.nanos("fused_reaction", reaction);
        Positive.nanos("fused_lines", lines);
    }

    FusedCosts scaled(double launchFactor, double latencyFactor) {
        return new FusedCosts(begin * launchFactor, reaction * latencyFactor, lines * launchFactor);
    }
}
