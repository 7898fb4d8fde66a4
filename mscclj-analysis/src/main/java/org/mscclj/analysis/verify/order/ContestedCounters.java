package org.mscclj.analysis.verify.order;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * The counters on which several blocks wait. The schedule decides which block each signal or release serves, so one run
 * proves nothing.
 */
public final class ContestedCounters {
    private record Channel(int rank, ChannelType type, int id) {}

    private record Semaphore(int rank, int id) {}

    private final Set<Channel> channels = new HashSet<>();
    private final Set<Semaphore> semaphores = new HashSet<>();
    private final Set<Semaphore> locks = new HashSet<>();
    private final List<String> descriptions = new ArrayList<>();

    private ContestedCounters() {}

    public static ContestedCounters of(Plan plan) {
        ContestedCounters contested = new ContestedCounters();
        for (RankPlan rank : plan.ranks()) {
            contested.add(rank);
        }
        return contested;
    }

    private void add(RankPlan rank) {
        Map<ChannelType, Map<Integer, Set<Integer>>> waiting = new EnumMap<>(ChannelType.class);
        Map<Integer, Set<Integer>> acquiring = new HashMap<>();
        for (ThreadBlock block : rank.threadBlocks()) {
            Set<Operation> seen = new HashSet<>();
            for (Operation operation : block.operations()) {
                add(operation, block, waiting, acquiring, seen);
            }
        }
        waiting.forEach((type, ofType) -> ofType.forEach((id, blocks) -> {
            if (blocks.size() > 1) {
                channels.add(new Channel(rank.rank(), type, id));
                describe(rank, blocks, type.label() + " channel #" + id);
            }
        }));
        acquiring.forEach((id, blocks) -> {
            if (blocks.size() > 1) {
                semaphores.add(new Semaphore(rank.rank(), id));
                describe(rank, blocks, "semaphore #" + id);
            }
        });
    }

    private static void add(
            Operation operation,
            ThreadBlock block,
            Map<ChannelType, Map<Integer, Set<Integer>>> waiting,
            Map<Integer, Set<Integer>> acquiring,
            Set<Operation> seen) {
        switch (operation) {
            case Operation.Pipeline pipeline ->
                pipeline.operations().forEach(inner -> add(inner, block, waiting, acquiring, seen));
            case Operation.Wait wait -> {
                if (seen.add(wait)) {
                    Map<Integer, Set<Integer>> ofType =
                            waiting.computeIfAbsent(wait.channelType(), _ -> new HashMap<>());
                    wait.channelIds()
                            .forEach(id -> add(
                                    ofType, block.channels(wait.channelType()).get(id), block));
                }
            }
            case Operation.SemaphoreAcquire acquire -> acquire.semaphoreIds().forEach(id -> add(acquiring, id, block));
            default -> {
                // waits on no counter
            }
        }
    }

    private static void add(Map<Integer, Set<Integer>> blocks, int counter, ThreadBlock block) {
        blocks.computeIfAbsent(counter, _ -> new TreeSet<>()).add(block.id());
    }

    private void describe(RankPlan rank, Set<Integer> blocks, String counter) {
        descriptions.add("rank " + rank.rank() + ": blocks " + blocks + " all wait for " + counter);
    }

    public boolean channel(int rank, ChannelType type, int id) {
        return !channels.isEmpty() && channels.contains(new Channel(rank, type, id));
    }

    public boolean semaphore(int rank, int id) {
        return !semaphores.isEmpty() && semaphores.contains(new Semaphore(rank, id));
    }

    /** Whether a semaphore is a lock, which orders nothing. */
    public boolean isLock(int rank, int id) {
        return !locks.isEmpty() && locks.contains(new Semaphore(rank, id));
    }

    public boolean isEmpty() {
        return channels.isEmpty() && semaphores.isEmpty();
    }

    /**
     * The contested counters without lock semaphores: those that each block only acquires and releases, with no other
     * wait in between. Such a semaphore becomes available again in every order of service. If no access needs it for
     * its order, the order in which it serves blocks does not matter.
     */
    public ContestedCounters withoutLocks(Plan plan) {
        ContestedCounters others = new ContestedCounters();
        others.channels.addAll(channels);
        others.descriptions.addAll(descriptions);
        for (Semaphore semaphore : semaphores) {
            boolean lock = LockSemaphores.isLock(plan.ranks().get(semaphore.rank), semaphore.id);
            (lock ? others.locks : others.semaphores).add(semaphore);
        }
        return others;
    }

    public boolean hasLocks() {
        return !locks.isEmpty();
    }

    /** Describes which blocks wait for which counter, by rank. */
    public List<String> descriptions() {
        return descriptions;
    }
}
