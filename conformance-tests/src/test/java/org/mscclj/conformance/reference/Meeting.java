package org.mscclj.conformance.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import org.mscclj.api.error.AbortedException;

/** Where ranks meet, again and again, and see what each of them brought. */
final class Meeting {
    private static final long POLL_MILLIS = 2;

    private final int size;
    private final ConcurrentMap<List<Integer>, Meeting> ofThoseLeft = new ConcurrentHashMap<>();
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

    /** Waits for all ranks; returns what they brought, by rank. */
    synchronized List<Object> meet(int rank, Object value, BooleanSupplier aborted) {
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
            if (aborted.getAsBoolean()) {
                throw new AbortedException("the communicator was aborted");
            }
            try {
                wait(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AbortedException("interrupted", e);
            }
        }
        return last;
    }
}
