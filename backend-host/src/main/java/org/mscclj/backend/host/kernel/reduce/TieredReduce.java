package org.mscclj.backend.host.kernel.reduce;

import org.mscclj.backend.host.kernel.variant.Tier;

/** A reduction in two {@linkplain Tier tiers}. */
final class TieredReduce implements ReduceKernel {
    private static final long TRIAL_BYTES = 4 << 10;

    private final Tier<ReduceKernel> tier;
    private final ReduceKernel vector;

    TieredReduce(ReduceKernel scalar, ReduceKernel vector) {
        this.vector = vector;
        long[] sources = new long[3];
        long[] destinations = new long[2];
        tier = new Tier<>(scalar, vector, (kernel, memory) -> {
            for (int i = 0; i < sources.length; i++) {
                sources[i] = memory + (i + 1) * TRIAL_BYTES;
            }
            kernel.reduce(memory, sources[0], sources[1], TRIAL_BYTES);
            kernel.reduce(memory, sources, sources.length, TRIAL_BYTES);
            destinations[0] = memory;
            destinations[1] = sources[1];
            kernel.reduceToAll(destinations, destinations.length, sources, sources.length, TRIAL_BYTES);
        });
    }

    /** The batch of the vector kernel, which soon replaces the scalar one for good. */
    @Override
    public long batch(int sources, int destinations) {
        return vector.batch(sources, destinations);
    }

    @Override
    public void reduce(long destination, long first, long second, long bytes) {
        tier.kernel(bytes).reduce(destination, first, second, bytes);
    }

    @Override
    public void reduce(long destination, long[] sources, int count, long bytes) {
        tier.kernel(bytes).reduce(destination, sources, count, bytes);
    }

    @Override
    public void reduceToAll(long[] destinations, int destinationCount, long[] sources, int count, long bytes) {
        tier.kernel(bytes).reduceToAll(destinations, destinationCount, sources, count, bytes);
    }
}
