package org.mscclj.runtime.proxy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;

/**
 * Semaphores whose transfers or flushes are not completed. Used under the agent's claim, but for how many there are.
 * Allocates nothing but for {@link #list}.
 */
final class TransfersInFlight {
    private final ProxySemaphore[] semaphores = new ProxySemaphore[Trigger.SEMAPHORE_IDS];

    /** How many; written under the claim, read by whoever is about to sleep. */
    private volatile int count;

    /** Whose connection is being used, for messages; null outside of work. */
    private @Nullable ProxySemaphore used;

    /** How many there are; a volatile read, which needs no claim. */
    int count() {
        return count;
    }

    /** Whose connection was used last in this turn. */
    @Nullable
    ProxySemaphore used() {
        return used;
    }

    /** Says whose connection is used next. */
    void use(ProxySemaphore semaphore) {
        used = semaphore;
    }

    /** Says that the turn is over. */
    void useNone() {
        used = null;
    }

    /** Asks after a semaphore from now on, until all of it is completed. */
    void add(ProxySemaphore semaphore) {
        if (!semaphore.inFlight()) {
            semaphore.inFlight(true);
            int next = count;
            semaphores[next] = semaphore;
            count = next + 1;
        }
    }

    /** Asks after everything in flight; returns how many flushes were answered. */
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

    /** Asks after nothing any more. */
    void forget() {
        count = 0;
    }

    /** Those that are in flight now. */
    List<ProxySemaphore> list() {
        List<ProxySemaphore> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(semaphores[i]);
        }
        return list;
    }
}
