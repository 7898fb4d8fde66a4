package org.mscclj.plan.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.plan.Operation;

/**
 * Fuses neighbours, as MSCCL++'s DSL does: synchronising operations of one kind into one over several channels, data
 * operations as {@link DataFusion} says; and drops a meeting next to another one.
 */
final class Fusion {
    private final Places places;
    private final FusionLimits limits;
    private final DataFusion data;

    Fusion(Places places, FusionLimits limits) {
        this.places = places;
        this.limits = limits;
        this.data = new DataFusion(places, limits);
    }

    /** What becomes of two neighbours: one step, or two of which one has lost a meeting. */
    private record Outcome(Optional<Step> first, Step second) {
        static Outcome fused(Step step) {
            return new Outcome(Optional.empty(), step);
        }

        static Outcome kept(Step first, Step second) {
            return new Outcome(Optional.of(first), second);
        }
    }

    /** Fuses greedily from the first step on. */
    List<Step> fuse(List<Step> steps) {
        return twoByTwo(TransferRuns.join(steps, places, limits));
    }

    /** The same, without a short cut for many transfers. */
    List<Step> twoByTwo(List<Step> steps) {
        List<Step> fused = new ArrayList<>();
        for (Step step : steps) {
            Step next = step instanceof Step.Loop loop
                    ? new Step.Loop(loop.unitSize(), loop.chunks(), fuse(loop.steps()))
                    : step;
            append(fused, next);
        }
        return fused;
    }

    /**
     * A step that has been fused may begin with a meeting that its parts did not all have, and that the step before it
     * already ends with.
     */
    private void append(List<Step> fused, Step next) {
        if (fused.isEmpty()) {
            fused.add(next);
            return;
        }
        Outcome outcome = combine(fused.removeLast(), next);
        if (outcome.first.isEmpty()) {
            append(fused, outcome.second);
        } else {
            fused.add(outcome.first.get());
            fused.add(outcome.second);
        }
    }

    private Outcome combine(Step first, Step second) {
        if (first.meets() || first instanceof Step.Loop) {
            return afterMeeting(first, second);
        }
        Step.Run run = (Step.Run) first;
        if (second instanceof Step.Run next) {
            Optional<Operation> fused = fuse(run.operation(), next.operation());
            if (fused.isPresent()) {
                return Outcome.fused(new Step.Run(
                        fused.get(), run.meetBefore() || next.meetBefore(), run.meetAfter() || next.meetAfter()));
            }
        }
        return second.beginsWithMeeting() ? Outcome.kept(run.withoutMeetAfter(), second) : Outcome.kept(run, second);
    }

    /** One meeting is enough. */
    private static Outcome afterMeeting(Step first, Step second) {
        if (isNop(first) && second.beginsWithMeeting() && (second.meets() || second instanceof Step.Loop)) {
            return Outcome.fused(second);
        }
        if (first.endsWithMeeting()) {
            if (isNop(second)) {
                return Outcome.fused(first);
            }
            if (second instanceof Step.Run run) {
                return Outcome.kept(first, run.withoutMeetBefore());
            }
        }
        return Outcome.kept(first, second);
    }

    private static boolean isNop(Step step) {
        return step instanceof Step.Run run && run.operation() instanceof Operation.Nop;
    }

    private Optional<Operation> fuse(Operation first, Operation second) {
        if (first instanceof Operation.Signal a
                && second instanceof Operation.Signal b
                && a.channelType() == b.channelType()
                && a.relaxed() == b.relaxed()) {
            return together(a.channelIds(), b.channelIds())
                    .map(ids -> new Operation.Signal(a.channelType(), ids, a.relaxed()));
        }
        if (first instanceof Operation.Wait a
                && second instanceof Operation.Wait b
                && a.channelType() == b.channelType()
                && a.relaxed() == b.relaxed()) {
            return together(a.channelIds(), b.channelIds())
                    .map(ids -> new Operation.Wait(a.channelType(), ids, a.relaxed()));
        }
        if (first instanceof Operation.Flush a
                && second instanceof Operation.Flush b
                && a.channelType() == b.channelType()) {
            return together(a.channelIds(), b.channelIds()).map(ids -> new Operation.Flush(a.channelType(), ids));
        }
        if (first instanceof Operation.SemaphoreAcquire a && second instanceof Operation.SemaphoreAcquire b) {
            return together(a.semaphoreIds(), b.semaphoreIds()).map(Operation.SemaphoreAcquire::new);
        }
        if (first instanceof Operation.SemaphoreRelease a && second instanceof Operation.SemaphoreRelease b) {
            return together(a.semaphoreIds(), b.semaphoreIds()).map(Operation.SemaphoreRelease::new);
        }
        if (first instanceof Operation.Data a && second instanceof Operation.Data b) {
            return data.fuse(a, b).map(both -> both);
        }
        return Optional.empty();
    }

    /** Ids of both, if none occurs twice and one operation may have as many. */
    private Optional<List<Integer>> together(List<Integer> first, List<Integer> second) {
        List<Integer> both = Stream.concat(first.stream(), second.stream()).toList();
        return both.size() <= limits.ids() && both.stream().distinct().count() == both.size()
                ? Optional.of(both)
                : Optional.empty();
    }
}
