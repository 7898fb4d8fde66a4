package org.mscclj.backend.host.step;

import org.mscclj.backend.host.kernel.reduce.ReduceKernel;

/** Reduces plain sources, in list order, into one or more destinations. */
public final class ReduceStep extends RangeStep {
    /** Number of zeros, in bytes. */
    private static final long ZERO_BYTES = 32 * 1024;

    private final StepOperand[] sources;
    private final StepOperand[] destinations;
    private final ReduceKernel kernel;
    private final long[] addresses;
    private final long[] results;
    private final long zeros;
    private final long batch;

    /**
     * A reduction of operands of equal length.
     *
     * @param zeros address of {@link #zeroBytes()} zeros, which replace padding
     */
    public ReduceStep(StepOperand[] sources, StepOperand[] destinations, ReduceKernel kernel, long zeros) {
        super(sources[0]);
        this.sources = sources;
        this.destinations = destinations;
        this.kernel = kernel;
        this.addresses = new long[sources.length];
        this.results = new long[destinations.length];
        this.zeros = zeros;
        this.batch = kernel.batch(sources.length, destinations.length);
    }

    /** Number of zeros that a reduction needs where a source is padding, in bytes. */
    public static long zeroBytes() {
        return ZERO_BYTES;
    }

    @Override
    protected void begin(StepContext context) {
        for (StepOperand source : sources) {
            source.begin(context);
        }
        for (StepOperand destination : destinations) {
            destination.begin(context);
        }
    }

    @Override
    protected long handle(StepContext context, long position, long end) {
        long bytes = Math.min(batch, end - position);
        for (StepOperand source : sources) {
            bytes = Math.min(bytes, source.run(position));
            if (bytes > ZERO_BYTES && source.address(position) == StepOperand.PADDING) {
                bytes = ZERO_BYTES; // at most the zeros that exist
            }
        }
        for (StepOperand destination : destinations) {
            bytes = Math.min(bytes, destination.run(position));
        }
        int places = 0;
        for (StepOperand destination : destinations) {
            long address = destination.address(position);
            if (address != StepOperand.PADDING) {
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
            addresses[i] = address == StepOperand.PADDING ? zeros : address;
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
