package org.mscclj.backend.host.step.sync;

import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.StepContext;

/** Increments each of several semaphores by one. */
public final class SemaphoreReleaseStep extends HostStep {
    private final Semaphores semaphores;
    private final int[] ids;

    /** A step that increments each semaphore by one. */
    public SemaphoreReleaseStep(Semaphores semaphores, int[] ids) {
        this.semaphores = semaphores;
        this.ids = ids;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        // nothing to prepare
    }

    @Override
    public int advance(StepContext context) {
        for (int id : ids) {
            semaphores.release(id);
        }
        return ENDED;
    }
}
