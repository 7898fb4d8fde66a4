package org.mscclj.runtime.communicator;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.runtime.resource.Resources;

/**
 * Frees the memory of communicators that access each other's when all of them are closed: a rank that closes early must not pull
 * memory from under a slower one. Safe for use by several threads.
 */
public final class SharedLifetime implements Lifetime {
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

    /** Releases when all are closed, in the thread that closes the last. */
    @Override
    public void closed(Runnable release) {
        List<Runnable> due;
        synchronized (this) {
            releases.add(release);
            if (--open > 0) {
                return;
            }
            due = List.copyOf(releases);
        }
        List<AutoCloseable> all = new ArrayList<>(List.of(afterwards::run)); // the last to be closed
        due.forEach(one -> all.add(one::run));
        Resources.close(all);
    }
}
