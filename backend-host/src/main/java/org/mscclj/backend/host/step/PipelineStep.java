package org.mscclj.backend.host.step;

/** Runs its inner steps once for each unit of their ranges. */
public final class PipelineStep extends HostStep {
    /**
     * The cost of an iteration in a block's budget, in bytes, so that other blocks and an abort get their turn even if
     * the iteration moves no data.
     */
    private static final int ITERATION_COST = 64;

    private final HostStep[] inner;
    private final long unit;
    private final int chunks;
    private long iterations;
    private long iteration;
    private int next;
    private boolean begun;

    /**
     * A pipeline.
     *
     * @param unit bytes that an iteration handles of each range
     * @param chunks number of chunks of a range
     */
    public PipelineStep(HostStep[] inner, long unit, int chunks) {
        this.inner = inner;
        this.unit = unit;
        this.chunks = chunks;
    }

    /**
     * The steps of an iteration. The array is the pipeline's own, not a copy: it is for callers that run the steps one
     * by one instead of the pipeline.
     */
    public HostStep[] inner() {
        return inner;
    }

    /** Bytes that an iteration handles of each range. */
    public long unit() {
        return unit;
    }

    /** Number of runs of the inner steps in a round. */
    public long iterations(LaunchRound round) {
        return round.layout().iterations(chunks, unit);
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        iterations = iterations(context.round());
        iteration = 0;
        next = 0;
        begun = false;
    }

    @Override
    public int advance(StepContext context) {
        while (iteration < iterations) {
            if (context.exhausted()) {
                return PAUSED;
            }
            while (next < inner.length) {
                if (!begun) {
                    inner[next].begin(context, iteration * unit, (iteration + 1) * unit);
                    begun = true;
                }
                int outcome = inner[next].advance(context);
                if (outcome != ENDED) {
                    return outcome;
                }
                next++;
                begun = false;
            }
            next = 0;
            iteration++;
            context.handled(ITERATION_COST);
        }
        return ENDED;
    }
}
