package org.mscclj.plan.pass;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.plan.Operation;

/**
 * Lets the block's threads meet before a step that accesses what an earlier one, since they last met, has accessed in a
 * way that conflicts. MSCCL++ passes over four conflicts, which are seen here: the plain operand of packet reductions,
 * stores to and reductions over a switch, input and output of in-place programs, which are one memory, and memory of
 * other ranks: two puts into places that overlap.
 */
final class Hazards {
    private final PlainAccesses accesses;

    /** Since the threads last met. */
    private final List<Access> since = new ArrayList<>();

    private Hazards(PlainAccesses accesses) {
        this.accesses = accesses;
    }

    static List<Step> insertMeets(List<Step> steps, PlainAccesses accesses) {
        return new Hazards(accesses).insertMeets(steps);
    }

    private List<Step> insertMeets(List<Step> steps) {
        List<Step> all = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Run run -> {
                    if (step.meets()) {
                        since.clear();
                    } else {
                        meetIfNeeded(all, accesses.of(run.operation()));
                    }
                    all.add(run);
                }
                case Step.Loop loop -> {
                    Step.Loop inner = iterations(
                            new Step.Loop(loop.unitSize(), loop.chunks(), insertMeets(loop.steps(), accesses)));
                    meetIfNeeded(all, untilMeeting(inner.steps()));
                    if (inner.steps().stream().anyMatch(Step::meets)) {
                        since.clear();
                        since.addAll(untilMeeting(inner.steps().reversed()));
                    }
                    all.add(inner);
                }
            }
        }
        return all;
    }

    private void meetIfNeeded(List<Step> all, List<Access> next) {
        if (next.stream().anyMatch(one -> since.stream().anyMatch(one::conflictsWith))) {
            all.add(Step.Run.MEET);
            since.clear();
        }
        since.addAll(next);
    }

    /** An iteration starts where the one before it has ended. */
    private Step.Loop iterations(Step.Loop loop) {
        List<Access> last = untilMeeting(loop.steps().reversed());
        boolean conflict = untilMeeting(loop.steps()).stream()
                .anyMatch(one -> last.stream()
                        .anyMatch(other -> one.conflictsWith(other) && !one.keepsIterationsApartFrom(other)));
        if (!conflict) {
            return loop;
        }
        List<Step> steps = new ArrayList<>(List.of(Step.Run.MEET));
        steps.addAll(loop.steps());
        return new Step.Loop(loop.unitSize(), loop.chunks(), steps);
    }

    private List<Access> untilMeeting(List<Step> steps) {
        List<Access> found = new ArrayList<>();
        for (Step step : steps) {
            if (step.meets()) {
                break;
            }
            if (step instanceof Step.Run(Operation operation, boolean _, boolean _)) {
                found.addAll(accesses.of(operation));
            }
        }
        return found;
    }
}
