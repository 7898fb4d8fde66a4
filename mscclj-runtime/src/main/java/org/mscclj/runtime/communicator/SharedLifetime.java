package org.mscclj.runtime.communicator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.mscclj.runtime.resource.Resources;

/**
 * Frees the memory of communicators that access each other's when all of them are closed: a rank that closes early must
 * not pull memory from under a slower one. Safe for use by several threads.
 */
public final class SharedLifetime {
    private final List<Runnable> releases = new ArrayList<>();
    private final Runnable afterwards;
    private final Set<Integer> open;
    private boolean over;

    /**
     * A lifetime.
     *
     * @param ranks how many there are
     * @param afterwards called once, when all are closed and their memory is freed
     */
    public SharedLifetime(int ranks, Runnable afterwards) {
        this.open = new HashSet<>(IntStream.range(0, ranks).boxed().toList());
        this.afterwards = afterwards;
    }

    /**
     * What a rank closes. Releases when all are closed, in the thread that closes the last; what is closed later, or
     * again, is released then, or at once.
     */
    public Lifetime ofRank(int rank) {
        return release -> closed(rank, release);
    }

    private void closed(int rank, Runnable release) {
        List<AutoCloseable> due = new ArrayList<>();
        synchronized (this) {
            releases.add(release);
            open.remove(rank);
            if (!open.isEmpty()) {
                return;
            }
            if (!over) {
                over = true;
                due.add(afterwards::run); // the last to be closed
            }
            releases.forEach(one -> due.add(one::run));
            releases.clear();
        }
        Resources.close(due);
    }
}
