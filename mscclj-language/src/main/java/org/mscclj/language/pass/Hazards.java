package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.plan.Operation;

/**
 * Inserts a synchronisation of the block's threads before a step that conflicts with an access since the last one.
 * MSCCL++ misses four conflicts that this pass finds: with the plain operand of packet reductions, with stores to and
 * reductions over a switch, between input and output of in-place programs, which share memory, and with memory of other
 * ranks, such as two puts to overlapping ranges.
 */
final class Hazards {
    private final PlainAccesses accesses;

    /** Accesses since the last synchronisation. */
    private final List<Access> since = new ArrayList<>();

    private Hazards(PlainAccesses accesses) {
        this.accesses = accesses;
    }

    static List<BlockStep> insertSyncs(List<BlockStep> steps, PlainAccesses accesses) {
        return new Hazards(accesses).insertSyncs(steps);
    }

    private List<BlockStep> insertSyncs(List<BlockStep> steps) {
        List<BlockStep> all = new ArrayList<>();
        for (BlockStep step : steps) {
            switch (step) {
                case BlockStep.Run run -> {
                    if (step.isSync()) {
                        since.clear();
                    } else {
                        syncIfNeeded(all, accesses.of(run.operation()));
                    }
                    all.add(run);
                }
                case BlockStep.Loop loop -> {
                    BlockStep.Loop inner = iterations(
                            new BlockStep.Loop(loop.unitSize(), loop.chunks(), insertSyncs(loop.steps(), accesses)));
                    syncIfNeeded(all, untilSync(inner.steps()));
                    if (inner.steps().stream().anyMatch(BlockStep::isSync)) {
                        since.clear();
                        since.addAll(untilSync(inner.steps().reversed()));
                    }
                    all.add(inner);
                }
            }
        }
        return all;
    }

    private void syncIfNeeded(List<BlockStep> all, List<Access> next) {
        if (next.stream().anyMatch(one -> since.stream().anyMatch(one::conflictsWith))) {
            all.add(BlockStep.Run.SYNC);
            since.clear();
        }
        since.addAll(next);
    }

    /** An iteration starts after the end of the one before. */
    private BlockStep.Loop iterations(BlockStep.Loop loop) {
        List<Access> last = untilSync(loop.steps().reversed());
        boolean conflict = untilSync(loop.steps()).stream()
                .anyMatch(one -> last.stream()
                        .anyMatch(other -> one.conflictsWith(other) && !one.keepsIterationsApartFrom(other)));
        if (!conflict) {
            return loop;
        }
        List<BlockStep> steps = new ArrayList<>(List.of(BlockStep.Run.SYNC));
        steps.addAll(loop.steps());
        return new BlockStep.Loop(loop.unitSize(), loop.chunks(), steps);
    }

    private List<Access> untilSync(List<BlockStep> steps) {
        List<Access> found = new ArrayList<>();
        for (BlockStep step : steps) {
            if (step.isSync()) {
                break;
            }
            if (step instanceof BlockStep.Run(Operation operation, boolean _, boolean _)) {
                found.addAll(accesses.of(operation));
            }
        }
        return found;
    }
}
