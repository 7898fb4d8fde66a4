package org.mscclj.backend.host.step;

/** A step that handles a byte range from its start to its end. */
public abstract class RangeStep extends HostStep {
    private final StepOperand first;
    private long position;
    private long end;

    /**
     * A step.
     *
     * @param first an operand; all have equal lengths
     */
    protected RangeStep(StepOperand first) {
        this.first = first;
    }

    @Override
    public final void begin(StepContext context, long from, long to) {
        begin(context);
        long length = first.length();
        position = wholeInPipelines() ? 0 : Math.min(from, length);
        end = wholeInPipelines() ? length : Math.min(to, length);
    }

    @Override
    public final long bytes(long from, long to) {
        long length = first.length();
        return wholeInPipelines() ? length : Math.max(0, Math.min(to, length) - Math.min(from, length));
    }

    /** Whether pipelines do not split this operation. */
    protected boolean wholeInPipelines() {
        return false;
    }

    /** Prepares operands for a round. */
    protected abstract void begin(StepContext context);

    /**
     * Handles some bytes.
     *
     * @return the number of bytes handled, or 0 if the operation has to wait
     */
    protected abstract long handle(StepContext context, long position, long end);

    @Override
    public final int advance(StepContext context) {
        while (position < end) {
            if (context.exhausted()) {
                return PAUSED;
            }
            long bytes = handle(context, position, end);
            if (bytes == 0) {
                return BLOCKED;
            }
            position += bytes;
            context.handled(bytes);
        }
        return ENDED;
    }
}
