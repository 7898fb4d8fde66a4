package org.mscclj.runtime.proxy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transfers that must end before memory is removed: everything that was pushed before, and, of the transfers in
 * flight at that moment, everything that was posted. It does not wait for what other threads push meanwhile; otherwise
 * a busy rank could never remove memory. Used under the agent's claim.
 */
final class Drain {
    private final long pushed;
    private @Nullable List<Mark> marks;

    private record Mark(ProxySemaphore semaphore, long posted) {
        boolean isOver() {
            return !semaphore.inFlight() || semaphore.connection().completed() >= posted;
        }
    }

    /** Creates the drain of everything pushed before this position of the ring. */
    Drain(long pushed) {
        this.pushed = pushed;
    }

    /**
     * Returns whether these transfers have ended.
     *
     * @param position position up to which triggers have been carried out
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
