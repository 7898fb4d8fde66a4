package org.mscclj.runtime.execution.waiting;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.execution.context.LaunchContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.fault.Blame;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.LaunchPlace;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Creates the exception for a wait for a launch that has not ended in time.
 *
 * @param alone whether other ranks need not make the launch
 */
record LateLaunch(
        ExecutionEnvironment environment,
        LaunchContext context,
        PreparedLaunch launch,
        RecordedOperation recorded,
        boolean alone) {
    /**
     * Returns the reason why the launch has not ended. Asks the ranks, and waits at most a second for their answers and
     * for this rank's device.
     *
     * @param what names the launch
     * @param sequence number of the launch among the launches that all ranks make, or of the last such launch before it
     * @param nanos how long this rank has waited for it
     * @param vain the wait that cannot succeed, if the waiting thread has detected it
     */
    MsccljException exception(String what, long sequence, long nanos, ClosedRanks.@Nullable Vain vain) {
        if (environment.abort().isSet()) {
            return environment.abort().exception(recorded.describe());
        }
        ClosedRanks.Vain closed = vain == null ? ClosedRanks.ofLaunch(environment, alone) : vain;
        if (closed != null) {
            return neverEnds(closed);
        }
        String late = recorded.describe() + ", " + what + ", rank "
                + environment.control().rank() + ": not ended after " + DurationText.of(Duration.ofNanos(nanos)) + "; ";
        try {
            return timedOut(late, sequence);
        } catch (RuntimeException | Error e) { // the launch is late, whatever the driver reports
            OperationTimeoutException undiagnosed = new OperationTimeoutException(
                    late + "what the ranks do could not be found out: " + e
                            + "; abort the communicator, or wait longer",
                    List.of());
            undiagnosed.addSuppressed(e);
            return undiagnosed;
        }
    }

    /** Returns the exception for a launch that has ended although a rank closed before it made that launch. */
    RankLostException endedWithout(int rank, long sequence) {
        return new RankLostException(
                rank,
                recorded.describe() + ", rank " + environment.control().rank() + ": rank " + rank
                        + " has closed its communicator without launch #" + sequence
                        + " of all ranks, which has ended without valid results; close the communicator, or shrink it");
    }

    private RankLostException neverEnds(ClosedRanks.Vain vain) {
        return new RankLostException(
                vain.rank(),
                recorded.describe() + ", rank " + environment.control().rank() + ": rank " + vain.rank()
                        + " has closed its communicator, and " + vain.reason()
                        + ", for which this waits; close the communicator, or shrink it");
    }

    private OperationTimeoutException timedOut(String late, long sequence) {
        FlightRecorder recorder = environment.recorder();
        Optional<LaunchPlace> first = recorder.isOn() ? recorder.firstInFlight() : Optional.empty();
        String behind = first.map(place -> behind(recorder, place, sequence)).orElse("");
        if (context.launchesAlone() || first.filter(LaunchPlace::messages).isPresent()) {
            Blame blame = first.map(place -> Blame.of(environment.control(), recorder, place))
                    .orElseGet(() -> Blame.ofMessages(environment.control(), recorder, launch.pending()));
            return new OperationTimeoutException(
                    late + behind + blame.description()
                            + "; see why those ranks do not do their part, abort the communicator, or wait longer",
                    blame.ranks());
        }
        LaunchProgress progress = LaunchProgress.find(environment, context);
        return new OperationTimeoutException(
                late + behind + progress + "; abort the communicator, or wait longer", progress.blamed());
    }

    /**
     * Describes the earlier launch of this rank for which this launch waits. Empty if it is this launch, or if the
     * launches are point-to-point and the earlier one is described equally.
     */
    private String behind(FlightRecorder recorder, LaunchPlace first, long sequence) {
        boolean own = !alone && !first.messages() && first.number() == sequence;
        return recorder.describe(first)
                .filter(words -> !own && !(alone && words.equals(recorded.describe())))
                .map(words -> "it waits behind " + first + " of this rank, " + words + ": ")
                .orElse("");
    }
}
