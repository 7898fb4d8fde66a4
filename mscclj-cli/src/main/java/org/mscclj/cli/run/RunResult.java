package org.mscclj.cli.run;

import java.util.OptionalDouble;
import org.mscclj.cli.check.CallShape;

/**
 * What came out for one size.
 *
 * @param shape what was run
 * @param micros mean time of a launch; empty if it was not timed
 * @param wrong wrong elements of all outputs
 */
record RunResult(CallShape shape, OptionalDouble micros, long wrong) {
    /** Message size over time, in 10<sup>9</sup> bytes a second. */
    OptionalDouble algorithmBandwidth() {
        return micros.isEmpty() || micros.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(shape.messageBytes() / micros.getAsDouble() / 1e3);
    }

    /** What the busiest link carries, with the factors of nccl-tests: comparable with hardware whatever the number of ranks. */
    OptionalDouble busBandwidth() {
        OptionalDouble bandwidth = algorithmBandwidth();
        return bandwidth.isEmpty() ? bandwidth : OptionalDouble.of(bandwidth.getAsDouble() * busFactor());
    }

    private double busFactor() {
        double n = shape.ranks();
        return switch (shape.collective()) {
            case ALLREDUCE -> 2 * (n - 1) / n;
            case ALLGATHER, REDUCESCATTER, ALLTOALL, SCATTER -> (n - 1) / n;
            case GATHER -> n - 1; // its message size is one slice
            case BROADCAST, REDUCE, SENDRECV, TEST -> 1;
        };
    }
}
