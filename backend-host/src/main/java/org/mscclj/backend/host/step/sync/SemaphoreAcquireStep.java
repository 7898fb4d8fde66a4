package org.mscclj.backend.host.step.sync;

import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.StepContext;

/** Decrements each of several semaphores by one, in order; waits while a semaphore is 0. */
public final class SemaphoreAcquireStep extends HostStep {
    private final Semaphores semaphores;
    private final int[] ids;
    private int next;

    /** A step that decrements each semaphore by one. */
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
