package org.mscclj.runtime.communicator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.mscclj.runtime.resource.Resources;

/**
 * Frees the memory of communicators that access each other's memory when all of them are closed: a rank that closes
 * early must not free memory that a slower rank still accesses. Safe for use by several threads.
 */
public final class SharedLifetime {
    private final List<Runnable> releases = new ArrayList<>();
    private final Runnable afterwards;
    private final Set<Integer> open;
    private boolean over;

    /**
     * Creates a lifetime.
     *
     * @param ranks the number of ranks
     * @param afterwards called once, when all ranks are closed and their memory is freed
     */
    public SharedLifetime(int ranks, Runnable afterwards) {
        this.open = new HashSet<>(IntStream.range(0, ranks).boxed().toList());
        this.afterwards = afterwards;
    }

    /**
     * Returns the lifetime of a rank. When all ranks are closed, the thread that closes the last one frees the memory
     * of all. A later or repeated close frees its memory when all ranks are closed, or at once if they already are.
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
