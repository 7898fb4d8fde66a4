package org.mscclj.api;

import java.util.List;
import org.mscclj.api.error.UnsupportedException;

/**
 * The health of the communicators of this process, for a health endpoint of the application: schedulers query it to
 * find bad ranks. {@code mscclj debug health} prints the health of other processes.
 *
 * <p>A fault ends an open communicator without a call for that: a launch exceeds its timeout, a rank is lost, or a rank
 * cannot continue. Every rank that is notified of the fault records it. The end of a communicator by {@code abort},
 * {@code shrink}, {@code reconfigure} or {@code close}, on any rank, is not a fault. Nor is an interrupt, nor a
 * communicator that could not be opened, since an exception has reported that.
 *
 * <p>A process that has had a fault is never healthy again, even if the communicator was closed, or if the survivors
 * have shrunk it and continue. An application that recovers from faults can examine {@link #faults} itself.
 *
 * @param faults the first ones, at most 16, the oldest first; one for each rank of this process
 * @param moreFaults number of faults after these
 */
public record Health(List<Fault> faults, long moreFaults) {
    /** Copies the list. */
    public Health {
        faults = List.copyOf(faults);
    }

    /**
     * The health of this process, now. Any thread may call this at any time, also when no communicator is open. It
     * waits for no rank and no device. A thread that has received the exception of a fault sees the fault here.
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
