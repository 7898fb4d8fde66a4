package org.mscclj.backend.host.step;

import org.mscclj.spi.trace.BlockTrace;

/** A step that says when it began and ended. There are none where nothing is traced. */
public final class TracedStep extends Step {
    private final Step step;
    private final BlockTrace trace;
    private final int operation;
    private long start;
    private long bytes;

    /**
     * A step that is traced.
     *
     * @param operation what it is, a number of {@link org.mscclj.spi.trace.ContextTrace#operation}
     */
    public TracedStep(Step step, BlockTrace trace, int operation) {
        this.step = step;
        this.trace = trace;
        this.operation = operation;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        start = System.nanoTime();
        bytes = step.bytes(from, to);
        step.begin(context, from, to);
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
