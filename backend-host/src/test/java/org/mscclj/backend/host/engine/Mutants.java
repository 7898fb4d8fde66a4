package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * Plans with one operation changed: dropped, done twice, swapped with the next, moved to another block, redirected to a
 * neighbouring chunk, to another channel, semaphore or barrier, or weakened.
 */
final class Mutants {
    private Mutants() {}

    /**
     * A changed plan.
     *
     * @param what which operation, and how
     * @param plan the plan, which need not be valid
     */
    record Mutant(String what, Plan plan) {}

    /**
     * A changed list of operations.
     *
     * @param what which operation, and how
     * @param operations the list
     */
    private record Change(String what, List<Operation> operations) {}

    /** All mutants of a plan. */
    static List<Mutant> of(Plan plan) {
        List<Mutant> mutants = new ArrayList<>();
        for (RankPlan rank : plan.ranks()) {
            for (ThreadBlock block : rank.threadBlocks()) {
                for (Change change : changes(block, block.operations())) {
                    mutants.add(new Mutant(
                            "rank " + rank.rank() + ", block " + block.id() + ": " + change.what,
                            with(plan, rank, block, change.operations)));
                }
                ThreadBlock next = rank.threadBlocks()
                        .get((block.id() + 1) % rank.threadBlocks().size());
                if (next.id() != block.id()) {
                    mutants.addAll(moved(plan, rank, block, next));
                }
            }
        }
        return mutants;
    }

    /** Operations that another block does at its start instead, through its own channels of the same numbers. */
    private static List<Mutant> moved(Plan plan, RankPlan rank, ThreadBlock from, ThreadBlock to) {
        List<Mutant> mutants = new ArrayList<>();
        for (int position = 0; position < from.operations().size(); position++) {
            List<Operation> rest = new ArrayList<>(from.operations());
            List<Operation> more = new ArrayList<>(to.operations());
            more.addFirst(rest.remove(position));
            Plan without = with(plan, rank, from, rest);
            mutants.add(new Mutant(
                    "rank " + rank.rank() + ", block " + from.id() + ": move op " + position + " to block " + to.id(),
                    with(without, without.ranks().get(rank.rank()), to, more)));
        }
        return mutants;
    }

    private static List<Change> changes(ThreadBlock block, List<Operation> operations) {
        List<Change> changes = new ArrayList<>();
        for (int position = 0; position < operations.size(); position++) {
            Operation operation = operations.get(position);
            String where = "op " + position + " (" + operation.label() + ")";
            List<Operation> dropped = new ArrayList<>(operations);
            dropped.remove(position);
            changes.add(new Change("drop " + where, dropped));
            List<Operation> doubled = new ArrayList<>(operations);
            doubled.add(position, operation);
            changes.add(new Change("do " + where + " twice", doubled));
            if (position + 1 < operations.size() && !operation.equals(operations.get(position + 1))) {
                List<Operation> swapped = new ArrayList<>(operations);
                swapped.set(position, operations.get(position + 1));
                swapped.set(position + 1, operation);
                changes.add(new Change("swap " + where + " with the next", swapped));
            }
            for (Operation changed : changes(block, operation)) {
                changes.add(new Change("change " + where + " to " + changed, with(operations, position, changed)));
            }
            if (operation instanceof Operation.Pipeline pipeline) {
                for (Change inner : changes(block, pipeline.operations())) {
                    Operation changed =
                            new Operation.Pipeline(pipeline.unitSize(), pipeline.chunks(), inner.operations);
                    changes.add(new Change(where + ", inner " + inner.what, with(operations, position, changed)));
                }
            }
        }
        return changes;
    }

    private static List<Operation> with(List<Operation> operations, int position, Operation changed) {
        List<Operation> other = new ArrayList<>(operations);
        other.set(position, changed);
        return other;
    }

    private static List<Operation> changes(ThreadBlock block, Operation operation) {
        List<Operation> changes = new ArrayList<>();
        switch (operation) {
            case Operation.Signal signal -> {
                if (!signal.relaxed()) {
                    changes.add(new Operation.Signal(signal.channelType(), signal.channelIds(), true));
                }
                if (signal.channelIds().size() > 1) {
                    changes.add(new Operation.Signal(
                            signal.channelType(),
                            signal.channelIds().subList(1, signal.channelIds().size()),
                            signal.relaxed()));
                }
                redirected(
                                signal.channelIds(),
                                block.channels(signal.channelType()).size())
                        .forEach(ids -> changes.add(new Operation.Signal(signal.channelType(), ids, signal.relaxed())));
            }
            case Operation.Wait wait -> {
                if (!wait.relaxed()) {
                    changes.add(new Operation.Wait(wait.channelType(), wait.channelIds(), true));
                }
                if (wait.channelIds().size() > 1) {
                    changes.add(new Operation.Wait(
                            wait.channelType(),
                            wait.channelIds().subList(1, wait.channelIds().size()),
                            wait.relaxed()));
                }
                redirected(wait.channelIds(), block.channels(wait.channelType()).size())
                        .forEach(ids -> changes.add(new Operation.Wait(wait.channelType(), ids, wait.relaxed())));
            }
            case Operation.Barrier barrier ->
                changes.add(new Operation.Barrier(barrier.id() == 0 ? 1 : 0, barrier.threadBlocks()));
            case Operation.SemaphoreAcquire acquire ->
                changes.add(new Operation.SemaphoreAcquire(next(acquire.semaphoreIds())));
            case Operation.SemaphoreRelease release ->
                changes.add(new Operation.SemaphoreRelease(next(release.semaphoreIds())));
            case Operation.Data data -> {
                for (int i = 0; i < data.sources().size(); i++) {
                    changes.add(withReferences(data, shifted(data.sources(), i), data.destinations()));
                }
                for (int i = 0; i < data.destinations().size(); i++) {
                    changes.add(withReferences(data, data.sources(), shifted(data.destinations(), i)));
                }
            }
            default -> {
                // dropped and swapped only
            }
        }
        return changes;
    }

    /** One channel instead of another, for each place where the block has more than one. */
    private static List<List<Integer>> redirected(List<Integer> ids, int count) {
        List<List<Integer>> all = new ArrayList<>();
        for (int i = 0; i < ids.size() && count > 1; i++) {
            List<Integer> changed = new ArrayList<>(ids);
            changed.set(i, (changed.get(i) + 1) % count);
            all.add(changed);
        }
        return all;
    }

    private static List<Integer> next(List<Integer> ids) {
        List<Integer> changed = new ArrayList<>(ids);
        changed.set(0, changed.getFirst() == 0 ? 1 : 0);
        return changed;
    }

    private static Operation withReferences(Operation.Data data, List<ChunkRef> sources, List<ChunkRef> destinations) {
        return new Operation.Data(
                data.kind(),
                data.channelType(),
                data.channelIds(),
                sources,
                destinations,
                data.share(),
                data.reduceOp(),
                data.plainPlace());
    }

    private static List<ChunkRef> shifted(List<ChunkRef> references, int which) {
        List<ChunkRef> all = new ArrayList<>(references);
        ChunkRef reference = all.get(which);
        int index = reference.index() > 0 ? reference.index() - 1 : reference.index() + 1;
        all.set(
                which,
                switch (reference) {
                    case ChunkRef.Local local -> new ChunkRef.Local(local.buffer(), index, local.size());
                    case ChunkRef.Remote remote -> new ChunkRef.Remote(remote.bufferId(), index, remote.size());
                    case ChunkRef.Multicast multicast ->
                        new ChunkRef.Multicast(multicast.switchChannelId(), index, multicast.size());
                });
        return all;
    }

    private static Plan with(Plan plan, RankPlan rank, ThreadBlock block, List<Operation> operations) {
        List<ThreadBlock> blocks = new ArrayList<>(rank.threadBlocks());
        blocks.set(block.id(), block.withOperations(operations));
        List<RankPlan> ranks = new ArrayList<>(plan.ranks());
        ranks.set(rank.rank(), rank.withThreadBlocks(blocks));
        return plan.withRanks(ranks);
    }
}
