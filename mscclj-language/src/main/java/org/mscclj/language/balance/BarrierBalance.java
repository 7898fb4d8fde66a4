package org.mscclj.language.balance;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Checks that every barrier that is recorded member by member is recorded equally often for all members; otherwise some
 * members wait forever. Iterations of pipelines are counted separately.
 */
public final class BarrierBalance {
    private record Key(int rank, int id, Iterations often) {}

    /** A use of a barrier at which members are missing. */
    private final class OpenBarrier {
        private final Object first = line.get();
        private int arrived;
    }

    private final class Arrivals {
        private final List<Integer> members;
        private final Map<Integer, Integer> arrivals = new LinkedHashMap<>();
        private final Deque<OpenBarrier> open = new ArrayDeque<>(1);
        private int complete;

        Arrivals(List<Integer> members) {
            this.members = members;
        }

        void arrive(int block) {
            int before = arrivals.merge(block, 1, Integer::sum) - 1;
            if (before == complete + open.size()) {
                open.add(new OpenBarrier());
            }
            open.stream().skip((long) before - complete).findFirst().orElseThrow().arrived++;
            if (open.getFirst().arrived == members.size()) {
                open.removeFirst();
                complete++;
            }
        }

        /** The members that have arrived at the first open use of the barrier, or those that have not. */
        List<Integer> members(boolean present) {
            return members.stream()
                    .filter(block -> (arrivals.getOrDefault(block, 0) > complete) == present)
                    .sorted()
                    .toList();
        }
    }

    private final Supplier<?> line;
    private final Map<Key, Arrivals> uses = new LinkedHashMap<>();

    /** Creates a check of a program; {@code line} supplies the line that is recorded at present. */
    public BarrierBalance(Supplier<?> line) {
        this.line = line;
    }

    /** Records the arrival of one of several members at a barrier. */
    public void arrived(int rank, int id, List<Integer> members, int block, Iterations often) {
        uses.computeIfAbsent(new Key(rank, id, often), _ -> new Arrivals(members))
                .arrive(block);
    }

    /** Describes the fault; empty if there is none. */
    public Optional<String> fault() {
        return uses.entrySet().stream()
                .filter(entry -> !entry.getValue().open.isEmpty())
                .findFirst()
                .map(entry -> fault(entry.getKey(), entry.getValue()));
    }

    private static String fault(Key key, Arrivals use) {
        return "rank " + key.rank + ", blocks " + use.members(true) + ", wait" + key.often
                + " at a barrier for blocks " + use.members(false)
                + ", which never arrive; the first that waits is at "
                + use.open.getFirst().first + "; allowed: each block of the barrier equally often";
    }
}
