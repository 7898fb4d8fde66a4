package org.mscclj.runtime.proxy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;

/**
 * Semaphores whose transfers or flushes are not completed. Used under the agent's claim, except for {@link #count()}.
 * Only {@link #list} allocates.
 */
final class TransfersInFlight {
    private final ProxySemaphore[] semaphores = new ProxySemaphore[Trigger.SEMAPHORE_IDS];

    /** Number of semaphores in flight. Written under the claim, read by a thread that is about to sleep. */
    private volatile int count;

    /** The semaphore whose connection is being used, for messages; null outside of work. */
    private @Nullable ProxySemaphore used;

    /** Returns the number of semaphores in flight; a volatile read, which needs no claim. */
    int count() {
        return count;
    }

    /** Returns the semaphore whose connection was used last in this turn. */
    @Nullable
    ProxySemaphore used() {
        return used;
    }

    /** Sets the semaphore whose connection is used next. */
    void use(ProxySemaphore semaphore) {
        used = semaphore;
    }

    /** Ends the turn. */
    void useNone() {
        used = null;
    }

    /** Checks a semaphore from now on, until all of its transfers and flushes are completed. */
    void add(ProxySemaphore semaphore) {
        if (!semaphore.inFlight()) {
            semaphore.inFlight(true);
            int next = count;
            semaphores[next] = semaphore;
            count = next + 1;
        }
    }

    /** Checks everything in flight; returns the number of flushes answered. */
    int progress(TriggerFifo fifo) {
        int answered = 0;
        int kept = 0;
        int asked = count;
        for (int i = 0; i < asked; i++) {
            ProxySemaphore semaphore = semaphores[i];
            used = semaphore;
            answered += semaphore.progress(fifo);
            if (semaphore.isIdle()) {
                semaphore.inFlight(false);
            } else {
                semaphores[kept++] = semaphore;
            }
        }
        if (kept != asked) {
            count = kept;
        }
        return answered;
    }

    /** Forgets everything in flight. */
    void forget() {
        count = 0;
    }

    /** Returns the semaphores that are in flight now. */
    List<ProxySemaphore> list() {
        List<ProxySemaphore> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(semaphores[i]);
        }
        return list;
    }
}
