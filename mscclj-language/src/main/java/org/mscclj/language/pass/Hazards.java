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

    static List<Step> insertSyncs(List<Step> steps, PlainAccesses accesses) {
        return new Hazards(accesses).insertSyncs(steps);
    }

    private List<Step> insertSyncs(List<Step> steps) {
        List<Step> all = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Run run -> {
                    if (step.isSync()) {
                        since.clear();
                    } else {
                        syncIfNeeded(all, accesses.of(run.operation()));
                    }
                    all.add(run);
                }
                case Step.Loop loop -> {
                    Step.Loop inner = iterations(
                            new Step.Loop(loop.unitSize(), loop.chunks(), insertSyncs(loop.steps(), accesses)));
                    syncIfNeeded(all, untilSync(inner.steps()));
                    if (inner.steps().stream().anyMatch(Step::isSync)) {
                        since.clear();
                        since.addAll(untilSync(inner.steps().reversed()));
                    }
                    all.add(inner);
                }
            }
        }
        return all;
    }

    private void syncIfNeeded(List<Step> all, List<Access> next) {
        if (next.stream().anyMatch(one -> since.stream().anyMatch(one::conflictsWith))) {
            all.add(Step.Run.SYNC);
            since.clear();
        }
        since.addAll(next);
    }

    /** An iteration starts after the end of the one before. */
    private Step.Loop iterations(Step.Loop loop) {
        List<Access> last = untilSync(loop.steps().reversed());
        boolean conflict = untilSync(loop.steps()).stream()
                .anyMatch(one -> last.stream()
                        .anyMatch(other -> one.conflictsWith(other) && !one.keepsIterationsApartFrom(other)));
        if (!conflict) {
            return loop;
        }
        List<Step> steps = new ArrayList<>(List.of(Step.Run.SYNC));
        steps.addAll(loop.steps());
        return new Step.Loop(loop.unitSize(), loop.chunks(), steps);
    }

    private List<Access> untilSync(List<Step> steps) {
        List<Access> found = new ArrayList<>();
        for (Step step : steps) {
            if (step.isSync()) {
                break;
            }
            if (step instanceof Step.Run(Operation operation, boolean _, boolean _)) {
                found.addAll(accesses.of(operation));
            }
        }
        return found;
    }
}
