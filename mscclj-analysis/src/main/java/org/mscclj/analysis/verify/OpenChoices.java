package org.mscclj.analysis.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * Points that depend on the schedule or on the size, and of which the verifier follows only one case: which blocks
 * synchronise at a barrier that more blocks use than it counts, the order of requests of several blocks in one port
 * channel's queue, and the relative progress of pipelines with different unit sizes. The one run may refute such a
 * plan, but does not prove it.
 */
final class OpenChoices {
    private final List<Finding> findings = new ArrayList<>();
    private final Set<Long> units = new TreeSet<>();

    private OpenChoices() {}

    static List<Finding> of(Plan plan) {
        OpenChoices choices = new OpenChoices();
        plan.ranks().forEach(choices::add);
        if (choices.units.size() > 1) {
            choices.add("pipelines have units of " + choices.units
                    + " bytes, so their relative numbers of iterations depend on the size;"
                    + " one unit size is followed");
        }
        return choices.findings;
    }

    private void add(String what) {
        findings.add(new Finding(Finding.Kind.UNDECIDED, what));
    }

    private void add(RankPlan rank) {
        Map<Operation.Barrier, Set<Integer>> barriers = new HashMap<>();
        Map<Integer, Set<Integer>> queuing = new HashMap<>();
        for (ThreadBlock block : rank.threadBlocks()) {
            Set<Operation> seen = new HashSet<>();
            for (Operation operation : block.operations()) {
                if (operation instanceof Operation.Pipeline pipeline) {
                    units.add(pipeline.unitSize());
                    pipeline.operations().forEach(inner -> add(inner, block, barriers, queuing));
                } else if (seen.add(operation)) {
                    add(operation, block, barriers, queuing);
                }
            }
        }
        barriers.forEach((barrier, blocks) -> {
            if (blocks.size() > barrier.threadBlocks()) {
                add("rank " + rank.rank() + ": blocks " + blocks + " all use barrier " + barrier.id() + ", where "
                        + barrier.threadBlocks()
                        + " synchronise, so which blocks synchronise depends on the schedule, and only one case was"
                        + " followed; give each group of"
                        + " blocks its own barrier");
            }
        });
        queuing.forEach((id, blocks) -> {
            if (blocks.size() > 1) {
                add("rank " + rank.rank() + ": blocks " + blocks + " all use port channel #" + id
                        + ", so the order of its queue depends on the schedule, and only one was followed;"
                        + " give each block its own port"
                        + " channel");
            }
        });
    }

    private static void add(
            Operation operation,
            ThreadBlock block,
            Map<Operation.Barrier, Set<Integer>> barriers,
            Map<Integer, Set<Integer>> queuing) {
        switch (operation) {
            case Operation.Barrier barrier -> add(barriers, barrier, block);
            case Operation.Signal signal
            when signal.channelType() == ChannelType.PORT -> queued(queuing, signal.channelIds(), block);
            case Operation.Flush flush -> queued(queuing, flush.channelIds(), block);
            case Operation.Data data
            when data.channelType().filter(ChannelType.PORT::equals).isPresent() ->
                queued(queuing, data.channelIds(), block);
            default -> {
                // leaves nothing open
            }
        }
    }

    private static void queued(Map<Integer, Set<Integer>> queuing, List<Integer> ids, ThreadBlock block) {
        ids.forEach(id -> add(queuing, block.channels(ChannelType.PORT).get(id), block));
    }

    private static <K> void add(Map<K, Set<Integer>> blocks, K what, ThreadBlock block) {
        blocks.computeIfAbsent(what, _ -> new TreeSet<>()).add(block.id());
    }
}
