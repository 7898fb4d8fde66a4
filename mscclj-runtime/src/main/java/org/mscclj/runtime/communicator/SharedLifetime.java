package org.mscclj.runtime.communicator;

import java.util.ArrayList;
import java.util.List;

/**
 * Frees the memory of communicators that access each other's when all of them are closed: a rank that closes early must not pull
 * memory from under a slower one. Safe for use by several threads.
 */
public final class SharedLifetime {
    private final List<Runnable> releases = new ArrayList<>();
    private final Runnable afterwards;
    private int open;

    /**
     * A lifetime.
     *
     * @param communicators how many there are
     * @param afterwards called when all are closed and their memory is freed
     */
    public SharedLifetime(int communicators, Runnable afterwards) {
        this.open = communicators;
        this.afterwards = afterwards;
    }

    /**
     * A communicator is closed: its launches have ended.
     *
     * @param release frees its memory; called when all are closed, by the thread that closes the last
     */
    public void closed(Runnable release) {
        List<Runnable> due;
        synchronized (this) {
            releases.add(release);
            if (--open > 0) {
                return;
            }
            due = List.copyOf(releases);
        }
        due.forEach(Runnable::run);
        afterwards.run();
    }
}
