package org.mscclj.conformance.reference;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.RankLostException;

/** Where ranks meet, again and again, and see what each of them brought. */
final class Meeting {
    private static final long POLL_MILLIS = 20;

    private final int size;
    private final ConcurrentMap<List<Integer>, Meeting> ofThoseLeft = new ConcurrentHashMap<>();
    private final Set<Integer> closed = new HashSet<>();
    private volatile boolean stopped;
    private volatile Optional<MsccljException> ended = Optional.empty();
    private List<Object> brought;
    private int arrived;
    private long round;
    private List<Object> last = List.of();

    Meeting(int size) {
        this.size = size;
        this.brought = empty();
    }

    /** Where those meet who are left without some of the ranks. */
    Meeting without(List<Integer> excluded) {
        return ofThoseLeft.computeIfAbsent(excluded, gone -> new Meeting(size - gone.size()));
    }

    private List<Object> empty() {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add("");
        }
        return list;
    }

    /** Why nobody meets here any more; empty while they do. */
    Optional<MsccljException> ended() {
        return ended;
    }

    /** Nobody meets here any more; the first reason stays. */
    synchronized void end(MsccljException reason) {
        if (ended.isEmpty()) {
            ended = Optional.of(reason);
        }
    }

    /** A rank does not come any more. */
    synchronized void close(int rank) {
        closed.add(rank);
    }

    private void requireNobodyClosed() {
        missing().stream().filter(closed::contains).findFirst().ifPresent(rank -> {
            throw new RankLostException(rank, "rank " + rank + " has closed its communicator");
        });
    }

    /** A rank is stopped from now on, and answers nobody. */
    void stopped() {
        stopped = true;
    }

    /** Whether some rank has been stopped. */
    boolean isSilent() {
        return stopped;
    }

    /** What may end waiting. */
    @FunctionalInterface
    interface Wait {
        /**
         * Throws if there is no more to wait for.
         *
         * @param missing ranks that have not come
         */
        void check(List<Integer> missing);
    }

    /** Waits for all ranks; returns what they brought, by rank. */
    synchronized List<Object> meet(int rank, Object value, Wait waiting) {
        requireNobodyClosed();
        brought.set(rank, value);
        long mine = round;
        if (++arrived == size) {
            last = brought;
            brought = empty();
            arrived = 0;
            round++;
            notifyAll();
            return last;
        }
        while (round == mine) {
            requireNobodyClosed();
            waiting.check(missing());
            try {
                wait(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AbortedException("interrupted", e);
            }
        }
        return last;
    }

    private List<Integer> missing() {
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            if (brought.get(rank).equals("")) {
                missing.add(rank);
            }
        }
        return missing;
    }
}
