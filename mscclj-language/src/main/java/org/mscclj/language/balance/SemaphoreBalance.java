package org.mscclj.language.balance;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Checks that semaphores are released at least as often as blocks must acquire them; otherwise some block certainly
 * waits forever.
 */
public final class SemaphoreBalance {
    private record Key(int rank, int id) {}

    private final class Use {
        private final int initialValue;
        private final Tally acquired = new Tally();
        private final Tally released = new Tally();
        private final Map<Iterations, Integer> gained = new HashMap<>();
        /** The lines of the acquires that have no release yet, in order. */
        private final Deque<Object> open = new ArrayDeque<>(1);

        Use(int initialValue) {
            this.initialValue = initialValue;
        }

        void acquire(int block, Iterations often) {
            if (acquired.count() - released.count() >= initialValue) {
                open.add(line.get());
            }
            acquired.add(block);
            gained.merge(often, -1, Integer::sum);
        }

        void release(int block, Iterations often) {
            if (!open.isEmpty()) {
                open.removeFirst();
            }
            released.add(block);
            gained.merge(often, 1, Integer::sum);
        }

        /** Iterations with more releases than acquires compensate for all acquires if there are enough of them. */
        boolean mayEnd() {
            return gained.entrySet().stream()
                            .anyMatch(entry -> !entry.getKey().equals(Iterations.ONE) && entry.getValue() > 0)
                    || initialValue
                                    + gained.values().stream()
                                            .mapToInt(Integer::intValue)
                                            .sum()
                            >= 0;
        }
    }

    private final Supplier<?> line;
    private final Map<Key, Use> uses = new LinkedHashMap<>();

    /** Creates a check of a program; {@code line} supplies the line that is recorded at present. */
    public SemaphoreBalance(Supplier<?> line) {
        this.line = line;
    }

    /** Records a semaphore. */
    public void added(int rank, int id, int initialValue) {
        uses.put(new Key(rank, id), new Use(initialValue));
    }

    /** Records an acquire. */
    public void acquired(int rank, int id, int block, Iterations often) {
        use(rank, id).acquire(block, often);
    }

    /** Records a release. */
    public void released(int rank, int id, int block, Iterations often) {
        use(rank, id).release(block, often);
    }

    private Use use(int rank, int id) {
        return uses.computeIfAbsent(new Key(rank, id), _ -> new Use(0));
    }

    /** Describes the fault; empty if there is none. */
    public Optional<String> fault() {
        return uses.entrySet().stream()
                .filter(entry -> !entry.getValue().mayEnd())
                .findFirst()
                .map(entry -> fault(entry.getKey(), entry.getValue()));
    }

    private static String fault(Key key, Use use) {
        return "rank " + key.rank + use.acquired + " semaphore " + key.id + " is acquired " + use.acquired.times()
                + ", released " + use.released.times() + use.released + " and starts at " + use.initialValue
                + "; the first surplus acquire is at " + use.open.getFirst()
                + "; allowed: at most as many acquires as its initial value and releases, or some block waits forever";
    }
}
