package org.mscclj.backend.host.step;

import org.mscclj.spi.trace.BlockTrace;
import org.mscclj.spi.trace.ContextTrace;

/** A step that records its start and its end in a trace. Created only if tracing is on. */
public final class TracedStep extends HostStep {
    private final HostStep step;
    private final BlockTrace trace;
    private final int operation;
    private long start;
    private long bytes;

    private TracedStep(HostStep step, BlockTrace trace, int operation) {
        this.step = step;
        this.trace = trace;
        this.operation = operation;
    }

    /**
     * A step that is traced.
     *
     * @param block the block that carries it out
     * @param label the name of the operation
     */
    public static TracedStep of(HostStep step, ContextTrace trace, int block, String label) {
        return new TracedStep(step, trace.block(block), trace.operation(label));
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        start = System.nanoTime();
        step.begin(context, from, to);
        bytes = step.bytes(from, to);
    }

    @Override
    public int advance(StepContext context) {
        int outcome = step.advance(context);
        if (outcome == ENDED) {
            trace.add(operation, Integer.toUnsignedLong(context.flag()), start, System.nanoTime(), bytes);
        }
        return outcome;
    }
}
