package org.mscclj.runtime.proxy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must be over for memory to be taken away: everything that was pushed before, and of what was then in flight, as
 * much as was posted. What others push meanwhile is not waited for, or a busy rank would never get rid of anything.
 * Used under the agent's claim.
 */
final class Drain {
    private final long pushed;
    private @Nullable List<Mark> marks;

    private record Mark(ProxySemaphore semaphore, long posted) {
        boolean isOver() {
            return !semaphore.inFlight() || semaphore.connection().completed() >= posted;
        }
    }

    /** Of everything pushed before this position of the ring. */
    Drain(long pushed) {
        this.pushed = pushed;
    }

    /**
     * Whether it is over.
     *
     * @param position up to where triggers have been carried out
     * @param inFlight semaphores whose transfers are not completed
     */
    boolean isOver(long position, TransfersInFlight inFlight) {
        if (position < pushed) {
            return false;
        }
        List<Mark> left = marks;
        if (left == null) {
            left = new ArrayList<>();
            for (ProxySemaphore semaphore : inFlight.list()) {
                left.add(new Mark(semaphore, semaphore.posted()));
            }
            marks = left;
        }
        left.removeIf(Mark::isOver);
        return left.isEmpty();
    }
}
