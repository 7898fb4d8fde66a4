package org.mscclj.api;

import java.util.List;
import org.mscclj.api.error.UnsupportedException;

/**
 * Whether the communicators of this process work, for a health endpoint of the application: schedulers ask processes
 * for it to find bad ranks. {@code mscclj debug health} tells the same of other processes.
 *
 * <p>A fault is whatever ends a communicator that was opened but a call for that: a launch that is late, a rank that is
 * lost, a rank that cannot go on. All ranks that hear of it have it. No fault is what {@code abort}, {@code shrink},
 * {@code reconfigure} or {@code close} end, on whichever rank it was called, nor a communicator that could not be
 * opened, since an exception has said so, nor an interrupt.
 *
 * <p>A process that has had a fault is never healthy again, although the communicator was closed, or the survivors have
 * shrunk it and go on. An application that recovers from faults can judge by {@link #faults} itself.
 *
 * @param faults the first ones, at most 16, the oldest first; one for each rank of this process
 * @param moreFaults how many there were after these
 */
public record Health(List<Fault> faults, long moreFaults) {
    /** A copy of the list is kept. */
    public Health {
        faults = List.copyOf(faults);
    }

    /**
     * Of this process, now. Any thread may ask, as often as it likes, also when no communicator is open. It waits for
     * no rank and no device. Who was thrown what a fault has ended sees the fault here.
     *
     * @throws UnsupportedException if no runtime is installed
     */
    public static Health ofProcess() {
        return Platform.instance().health();
    }

    /** Whether there was no fault. */
    public boolean healthy() {
        return faults.isEmpty();
    }
}
