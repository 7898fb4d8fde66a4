package org.mscclj.backend.host.step;

import org.mscclj.posix.NativeMemory;

/** Copies plain data from one source to one or more destinations: put, get, copy, multicast store. */
public final class CopyStep extends RangeStep {
    private static final long BATCH = 128 * 1024;

    private final StepOperand source;
    private final StepOperand[] destinations;

    /** A copy between operands of equal length. */
    public CopyStep(StepOperand source, StepOperand[] destinations) {
        super(source);
        this.source = source;
        this.destinations = destinations;
    }

    @Override
    protected void begin(StepContext context) {
        source.begin(context);
        for (StepOperand destination : destinations) {
            destination.begin(context);
        }
    }

    @Override
    protected long handle(StepContext context, long position, long end) {
        long bytes = Math.min(Math.min(source.run(position), end - position), BATCH);
        for (StepOperand destination : destinations) {
            bytes = Math.min(bytes, destination.run(position));
        }
        long from = source.address(position);
        for (StepOperand destination : destinations) {
            long to = destination.address(position);
            if (to == StepOperand.PADDING || to == from) {
                continue;
            }
            if (from == StepOperand.PADDING) {
                NativeMemory.fill(to, bytes, (byte) 0);
            } else {
                NativeMemory.copy(from, to, bytes);
            }
        }
        return bytes;
    }
}
