package org.mscclj.plan.language;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether every barrier of which members were told one by one has been told all of them, equally often, or the others
 * wait for ever. A pipeline keeps its own account.
 */
final class BarrierBalance {
    private record Key(int rank, int id, Iterations often) {}

    /** A meeting that lacks members. */
    private static final class Meeting {
        private final SourceLine first = SourceLine.current();
        private int arrived;
    }

    private static final class Account {
        private final List<Integer> members;
        private final Map<Integer, Integer> arrivals = new LinkedHashMap<>();
        private final Deque<Meeting> open = new ArrayDeque<>(1);
        private int complete;

        Account(List<Integer> members) {
            this.members = members;
        }

        void arrive(int block) {
            int before = arrivals.merge(block, 1, Integer::sum) - 1;
            if (before == complete + open.size()) {
                open.add(new Meeting());
            }
            open.stream().skip((long) before - complete).findFirst().orElseThrow().arrived++;
            if (open.getFirst().arrived == members.size()) {
                open.removeFirst();
                complete++;
            }
        }

        /** Who has come to the first open meeting, or who has not. */
        List<Integer> members(boolean come) {
            return members.stream()
                    .filter(block -> (arrivals.getOrDefault(block, 0) > complete) == come)
                    .sorted()
                    .toList();
        }
    }

    private final Map<Key, Account> accounts = new LinkedHashMap<>();

    /** Counts what one of several members of a barrier has been told. */
    void arrived(int rank, int id, List<Integer> members, int block, Iterations often) {
        accounts.computeIfAbsent(new Key(rank, id, often), _ -> new Account(members))
                .arrive(block);
    }

    /** What is wrong, if anything is. */
    Optional<String> fault() {
        return accounts.entrySet().stream()
                .filter(entry -> !entry.getValue().open.isEmpty())
                .findFirst()
                .map(entry -> fault(entry.getKey(), entry.getValue()));
    }

    private static String fault(Key key, Account account) {
        return "rank " + key.rank + ", blocks " + account.members(true) + ", wait" + key.often
                + " at a barrier for blocks " + account.members(false)
                + ", which never come; the first that waits is at "
                + account.open.getFirst().first + "; allowed: each block of the barrier equally often";
    }
}
