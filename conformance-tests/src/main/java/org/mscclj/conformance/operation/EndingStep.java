package org.mscclj.conformance.operation;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.task.RunningClock;
import org.mscclj.spi.waiting.Backoff;

/**
 * A step whose closing waits for the end of its last launch: a join that fails may return earlier, and the launch uses
 * the buffers until then.
 */
record EndingStep(Step step) implements Step {
    private static final long LIMIT_NANOS = 6_000_000_000L;
    private static final long PAUSE_NANOS = 5_000_000;

    @Override
    public void run() {
        step.run();
    }

    /**
     * Frees the resources of the step.
     *
     * @throws InvalidArgumentException if buffers are still in use after 6 seconds
     */
    @Override
    public void close() {
        long end = RunningClock.nanoTime() + LIMIT_NANOS;
        while (true) {
            try {
                step.close();
                return;
            } catch (InvalidArgumentException e) {
                if (!String.valueOf(e.getMessage()).contains("in use") || RunningClock.nanoTime() >= end) {
                    throw e;
                }
                Backoff.nap(PAUSE_NANOS);
            }
        }
    }
}
