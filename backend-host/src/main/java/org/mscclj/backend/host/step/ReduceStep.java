package org.mscclj.backend.host.step;

import org.mscclj.backend.host.kernel.ReduceKernel;

/** Reduces plain sources, in list order, into one or more destinations. */
public final class ReduceStep extends RangeStep {
    /** Bytes of one operand handled at once, at most, where the result goes to several places. */
    private static final long LARGEST_BATCH = 32 * 1024;

    /** Where it goes to one: long runs are best for the processor's prefetching. */
    private static final long LONGEST_RUN = 256 * 1024;

    private static final long SMALLEST_BATCH = 4 * 1024;

    /** Batches are whole cache lines, and so whole elements, whatever the number of operands. */
    private static final long LINE = 64;

    /** Bytes of all operands handled at once: they are still in the second-level cache when the result is stored over them. */
    private static final long CACHED_BYTES = 128 * 1024;

    private final Operand[] sources;
    private final Operand[] destinations;
    private final ReduceKernel kernel;
    private final long[] addresses;
    private final long[] results;
    private final long zeros;
    private final long batch;

    /**
     * All operands have the same length.
     *
     * @param zeros address of {@link #zeroBytes()} zeros, which stand for padding
     */
    public ReduceStep(Operand[] sources, Operand[] destinations, ReduceKernel kernel, long zeros) {
        super(sources[0].length());
        this.sources = sources;
        this.destinations = destinations;
        this.kernel = kernel;
        this.addresses = new long[sources.length];
        this.results = new long[destinations.length];
        this.zeros = zeros;
        this.batch = destinations.length == 1 && sources.length <= 2
                ? LONGEST_RUN
                : Math.clamp(CACHED_BYTES / sources.length / LINE * LINE, SMALLEST_BATCH, LARGEST_BATCH);
    }

    /** How many zeros a reduction needs where a source is padding, in bytes. */
    public static long zeroBytes() {
        return LARGEST_BATCH;
    }

    @Override
    void begin(StepContext context) {
        for (Operand source : sources) {
            source.begin(context);
        }
        for (Operand destination : destinations) {
            destination.begin(context);
        }
    }

    @Override
    long handle(StepContext context, long position, long end) {
        long bytes = Math.min(batch, end - position);
        for (Operand source : sources) {
            bytes = Math.min(bytes, source.run(position));
            if (bytes > LARGEST_BATCH && source.address(position) == Operand.PADDING) {
                bytes = LARGEST_BATCH; // no more zeros than that
            }
        }
        for (Operand destination : destinations) {
            bytes = Math.min(bytes, destination.run(position));
        }
        int places = 0;
        for (Operand destination : destinations) {
            long address = destination.address(position);
            if (address != Operand.PADDING) {
                results[places++] = address;
            }
        }
        if (places > 0) {
            reduce(places, position, bytes);
        }
        return bytes;
    }

    private void reduce(int places, long position, long bytes) {
        for (int i = 0; i < sources.length; i++) {
            long address = sources[i].address(position);
            addresses[i] = address == Operand.PADDING ? zeros : address;
        }
        if (places > 1) {
            kernel.reduceToAll(results, places, addresses, addresses.length, bytes);
        } else if (addresses.length == 2) {
            kernel.reduce(results[0], addresses[0], addresses[1], bytes);
        } else {
            kernel.reduce(results[0], addresses, addresses.length, bytes);
        }
    }
}
