package org.mscclj.runtime.proxy;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Who may run an agent: one thread at a time. It is taken by compare-and-set and given back with release, so that each
 * holder sees what the ones before did.
 */
final class Claim {
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Takes it unless another thread has it. */
    boolean tryTake() {
        return !taken.getOpaque() && taken.compareAndSet(false, true);
    }

    void giveBack() {
        taken.setRelease(false);
    }

    /** Whether somebody has it; a volatile read. */
    boolean isTaken() {
        return taken.get();
    }
}
