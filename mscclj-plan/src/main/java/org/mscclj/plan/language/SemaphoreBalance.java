package org.mscclj.plan.language;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Whether semaphores are released at least as often as some block must have acquired them, or it is certain to wait for ever. */
final class SemaphoreBalance {
    private record Key(int rank, int id) {}

    private static final class Use {
        private final int initialValue;
        private final Tally acquired = new Tally();
        private final Tally released = new Tally();
        private final Map<Iterations, Integer> gained = new HashMap<>();

        Use(int initialValue) {
            this.initialValue = initialValue;
        }

        /** Iterations that gain make up for everything, as long as there are enough of them. */
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

    private final Map<Key, Use> uses = new LinkedHashMap<>();

    void added(int rank, int id, int initialValue) {
        uses.put(new Key(rank, id), new Use(initialValue));
    }

    void acquired(int rank, int id, int block, Iterations often) {
        Use use = use(rank, id);
        use.acquired.add(block);
        use.gained.merge(often, -1, Integer::sum);
    }

    void released(int rank, int id, int block, Iterations often) {
        Use use = use(rank, id);
        use.released.add(block);
        use.gained.merge(often, 1, Integer::sum);
    }

    private Use use(int rank, int id) {
        return uses.computeIfAbsent(new Key(rank, id), _ -> new Use(0));
    }

    /** What is wrong, if anything is. */
    Optional<String> fault() {
        return uses.entrySet().stream()
                .filter(entry -> !entry.getValue().mayEnd())
                .findFirst()
                .map(entry -> fault(entry.getKey(), entry.getValue()));
    }

    private static String fault(Key key, Use use) {
        return "rank " + key.rank + use.acquired + " semaphore " + key.id + " is acquired " + use.acquired.times()
                + ", released " + use.released.times() + use.released + " and starts at " + use.initialValue
                + "; allowed: to acquire what it starts at and what is released, or some block waits for ever";
    }
}
