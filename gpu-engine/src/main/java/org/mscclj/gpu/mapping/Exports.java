package org.mscclj.gpu.mapping;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** What other processes can ask this process for, by numbers that are never reused. */
public final class Exports {
    private static final AtomicLong LAST_ID = new AtomicLong();
    private static final ConcurrentMap<Long, Exportable> LIVE = new ConcurrentHashMap<>();

    private Exports() {}

    /** Returns a new number. */
    static long nextId() {
        return LAST_ID.incrementAndGet();
    }

    /** Adds something that can be asked for, by a number of {@link #nextId}. */
    static void add(long id, Exportable exportable) {
        LIVE.put(id, exportable);
    }

    /** Undoes {@link #add}. */
    static void remove(long id) {
        LIVE.remove(id);
    }

    /** What has a number, held once more; empty if it has been freed. */
    public static Optional<Exportable> find(long id) {
        return Optional.ofNullable(LIVE.get(id)).filter(Exportable::tryHold);
    }
}
