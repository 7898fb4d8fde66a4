package org.mscclj.backend.host.step;

/** Takes one from each of several semaphores, in order. */
public final class SemaphoreAcquireStep extends Step {
    private final Semaphores semaphores;
    private final int[] ids;
    private int next;

    /** Takes one from each. */
    public SemaphoreAcquireStep(Semaphores semaphores, int[] ids) {
        this.semaphores = semaphores;
        this.ids = ids;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        next = 0;
    }

    @Override
    public int advance(StepContext context) {
        while (next < ids.length) {
            if (!semaphores.tryAcquire(ids[next])) {
                return BLOCKED;
            }
            next++;
        }
        return ENDED;
    }
}
