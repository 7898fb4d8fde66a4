package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/** Finds counters that several blocks wait for: which of them is served first depends on the schedule, so that one run decides nothing. */
final class Consumers {
    private final Map<String, Set<Integer>> blocks = new TreeMap<>();

    private Consumers() {}

    static List<Finding> competing(Plan plan) {
        List<Finding> found = new ArrayList<>();
        for (RankPlan rank : plan.ranks()) {
            Consumers consumers = new Consumers();
            for (ThreadBlock block : rank.threadBlocks()) {
                block.operations().forEach(operation -> consumers.add(block, operation));
            }
            consumers.blocks.forEach((counter, waiting) -> {
                if (waiting.size() > 1) {
                    found.add(new Finding(
                            Finding.Kind.UNDECIDED,
                            "rank " + rank.rank() + ": blocks " + waiting + " all wait for " + counter
                                    + ", so that what each of them gets depends on the schedule"));
                }
            });
        }
        return found;
    }

    private void add(ThreadBlock block, Operation operation) {
        switch (operation) {
            case Operation.Pipeline pipeline -> pipeline.operations().forEach(inner -> add(block, inner));
            case Operation.Wait wait -> {
                ChannelType type = wait.channelType();
                wait.channelIds()
                        .forEach(id -> add(
                                block,
                                type.label() + " channel "
                                        + block.channels(type).get(id)));
            }
            case Operation.SemaphoreAcquire acquire ->
                acquire.semaphoreIds().forEach(id -> add(block, "semaphore " + id));
            default -> {
                // waits for no counter
            }
        }
    }

    private void add(ThreadBlock block, String counter) {
        blocks.computeIfAbsent(counter, _ -> new TreeSet<>()).add(block.id());
    }
}
