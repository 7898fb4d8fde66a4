package org.mscclj.runtime.proxy;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The right to run an agent, which one thread holds at a time. A thread takes it by compare-and-set and releases it by
 * a store with release, so that each holder sees the writes of the holders before.
 */
final class Claim {
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Takes the claim unless another thread holds it. */
    boolean tryTake() {
        return !taken.getOpaque() && taken.compareAndSet(false, true);
    }

    void giveBack() {
        taken.setRelease(false);
    }

    /** Returns whether a thread holds the claim; a volatile read. */
    boolean isTaken() {
        return taken.get();
    }
}
