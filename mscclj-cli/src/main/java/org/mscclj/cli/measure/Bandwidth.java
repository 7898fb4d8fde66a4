package org.mscclj.cli.measure;

import java.util.OptionalDouble;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.check.CheckedCall;

/** Bandwidths by the formulas of nccl-tests, in 10<sup>9</sup> bytes a second. */
public final class Bandwidth {
    private Bandwidth() {}

    /** Returns message size over time (algbw); empty if there is no time. */
    public static OptionalDouble algorithm(CheckedCall shape, OptionalDouble micros) {
        return micros.isEmpty() || micros.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(shape.messageBytes() / micros.getAsDouble() / 1e3);
    }

    /** Returns the bandwidth of the busiest link (busbw), which is comparable with hardware for any number of ranks. */
    public static OptionalDouble bus(CheckedCall shape, OptionalDouble micros) {
        OptionalDouble bandwidth = algorithm(shape, micros);
        return bandwidth.isEmpty()
                ? bandwidth
                : OptionalDouble.of(bandwidth.getAsDouble() * busFactor(shape.collective(), shape.ranks()));
    }

    /** Returns bus bandwidth over algorithm bandwidth. */
    public static double busFactor(Collective collective, int ranks) {
        double n = ranks;
        return switch (collective) {
            case ALLREDUCE -> 2 * (n - 1) / n;
            case ALLGATHER, REDUCESCATTER, ALLTOALL, SCATTER -> (n - 1) / n;
            case GATHER -> n - 1; // the message size is one slice
            case BROADCAST, REDUCE, SENDRECV, TEST -> 1;
        };
    }
}
