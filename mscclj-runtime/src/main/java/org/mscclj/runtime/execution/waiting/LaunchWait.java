package org.mscclj.runtime.execution.waiting;

import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.event.WaitEvent;
import org.mscclj.runtime.execution.context.LaunchContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.runtime.work.AbortableWork;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Waits for launches of an operation.
 *
 * @param alone whether other ranks need not make the launches
 */
public record LaunchWait(
        ExecutionEnvironment environment,
        LaunchContext context,
        PreparedLaunch launch,
        RecordedOperation recorded,
        boolean alone) {
    /**
     * Waits for a launch.
     *
     * @param number number among the launches of this operation
     * @param sequence number among the launches that all ranks make, or of the last such launch before
     */
    public void join(long number, long sequence, long nanos) {
        WaitEvent event = EventRecorder.recordWaits() ? WaitEvent.begun() : null;
        ClosedRanks.Vain vain = awaitUnlessInVain(number, nanos);
        boolean ended = vain == null && launch.isEnded(number);
        if (event != null && event.shouldCommit()) {
            event.commit(environment.links().name(), recorded.description().operation(), number, ended);
        }
        if (environment.abort().isSet()) {
            throw environment.abort().exception(recorded.describe());
        }
        if (!ended) {
            throw Thread.currentThread().isInterrupted()
                    ? new AbortedException("interrupted while waiting for " + recorded.describe())
                    : late(number, sequence, nanos, vain);
        }
        int closed = context.endsWithoutClosed() ? environment.control().closedBefore(sequence) : -1;
        if (closed >= 0) {
            throw lateness().endedWithout(closed, sequence);
        }
    }

    /**
     * Creates the exception of a join that has waited in vain for the given nanoseconds.
     *
     * @param vain the wait that cannot succeed, if that is known
     */
    public MsccljException late(long number, long sequence, long nanos, ClosedRanks.@Nullable Vain vain) {
        return lateness().exception(name(number, sequence), sequence, nanos, vain);
    }

    /**
     * Waits until a launch has ended, the time is over, this thread is interrupted, or a rank has closed without which
     * the launch cannot end. After an abort the wait is short: a launch behind other work on its stream would have to
     * wait for that work.
     *
     * @return the wait that cannot succeed; null if none is known
     */
    private ClosedRanks.@Nullable Vain awaitUnlessInVain(long number, long nanos) {
        long start = System.nanoTime();
        long limit = nanos;
        boolean aborted = false;
        ClosedRanks closed = null;
        long before = start;
        while (true) {
            long left = limit - (before - start);
            if (launch.await(number, Math.min(left, ClosedRanks.LOOK_NANOS))) {
                return null;
            }
            long now = System.nanoTime();
            start += Math.max(0, now - before - RunningDeadline.MAX_NANOS); // this process was stopped meanwhile
            before = now;
            if (!aborted && environment.abort().isSet()) {
                aborted = true;
                limit = Math.min(limit, System.nanoTime() - start + AbortableWork.MAX_END_NANOS);
            }
            ClosedRanks.Vain vain = null;
            if (ClosedRanks.isAny(environment)) {
                closed = closed == null ? closedRanks() : closed;
                vain = closed.look();
            }
            if (left <= ClosedRanks.LOOK_NANOS
                    || vain != null
                    || Thread.currentThread().isInterrupted()) {
                return vain;
            }
        }
    }

    /** Starts to detect that a wait for the last launch, which begins now, is in vain. */
    public ClosedRanks closedRanks() {
        return new ClosedRanks(environment, alone, recorded);
    }

    /** Returns whether a rank has closed: as long as none has, no wait is in vain. Neither blocks nor allocates. */
    public boolean mayBeInVain() {
        return ClosedRanks.isAny(environment);
    }

    /**
     * Waits for the end of all launches, or until no device is left that could execute them.
     *
     * @param sequence number of the last launch among the launches that all ranks make
     */
    public void awaitAll(long sequence) {
        long number = launch.enqueued();
        if (!launch.isEnded(number)) {
            end(name(number, sequence), sequence).await(nanos -> launch.await(number, nanos));
        }
    }

    /** Refuses replays of graphs with launches of the operation, and waits for those in flight. */
    public void awaitReplays(long sequence) {
        end("replays", sequence).await(context::refuseReplays);
    }

    private String name(long number, long sequence) {
        return alone ? "launch " + number : "launch #" + sequence;
    }

    private EndOfLaunches end(String what, long sequence) {
        return new EndOfLaunches(
                environment, alone, recorded, (waited, vain) -> lateness().exception(what, sequence, waited, vain));
    }

    private LateLaunch lateness() {
        return new LateLaunch(environment, context, launch, recorded, alone);
    }
}
