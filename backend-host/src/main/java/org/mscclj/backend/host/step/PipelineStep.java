package org.mscclj.backend.host.step;

/** Runs its inner steps once for each unit of their ranges. */
public final class PipelineStep extends Step {
    private final Step[] inner;
    private final long unit;
    private final long iterations;
    private long iteration;
    private int next;
    private boolean begun;

    /**
     * A pipeline.
     *
     * @param unit bytes that an iteration handles of each range
     * @param iterations how often the inner steps run
     */
    public PipelineStep(Step[] inner, long unit, long iterations) {
        this.inner = inner;
        this.unit = unit;
        this.iterations = iterations;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        iteration = 0;
        next = 0;
        begun = false;
    }

    @Override
    public int advance(StepContext context) {
        while (iteration < iterations) {
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
        }
        return ENDED;
    }
}
