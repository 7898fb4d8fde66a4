package org.mscclj.runtime.execution.waiting;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.control.ClosedPeer;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.LaunchPlace;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * Detects, by repeated checks, that launches of this rank wait for a rank that has closed its communicator, and so
 * never end. The first launch in flight decides, since all others wait for it. Used by one thread.
 */
public final class ClosedRanks {
    /** Interval between checks, in nanoseconds. */
    static final long LOOK_NANOS = 50_000_000;

    /**
     * Time for which a launch of all ranks must look unchanged, so that two checks agree. The launches that a rank made
     * before it closed may just be ending.
     */
    private static final long LAUNCH_NANOS = LOOK_NANOS * 4 / 5;

    private static final Duration TIMEOUT = Duration.ofMillis(50);

    private final ExecutionEnvironment environment;
    private final boolean alone;
    private final @Nullable RecordedOperation own;
    private @Nullable Vain seen;
    private long seenNanos;

    /**
     * A wait that cannot succeed.
     *
     * @param rank the rank that has closed
     * @param reason the reason why the launch cannot end
     */
    public record Vain(int rank, String reason) {}

    /**
     * Starts the detection for a wait that begins.
     *
     * @param alone whether only some ranks make the awaited launch
     * @param own operation of that launch, which supplies what the recorder does not keep; null if there is none
     */
    public ClosedRanks(ExecutionEnvironment environment, boolean alone, @Nullable RecordedOperation own) {
        this.environment = environment;
        this.alone = alone;
        this.own = own;
    }

    /** Returns whether this rank has received notice of any closed rank. Neither blocks nor allocates. */
    static boolean isAny(ExecutionEnvironment environment) {
        return environment.control().closedBefore(Long.MAX_VALUE) >= 0;
    }

    /**
     * Checks once. Returns the wait that cannot succeed if it has looked unchanged long enough to be final, and null
     * otherwise.
     */
    @Nullable
    public Vain look() {
        Vain now = isAny(environment) ? now() : null;
        if (now == null || !now.equals(seen)) {
            seen = now;
            seenNanos = System.nanoTime();
            return null;
        }
        long timeout = ofLaunch(environment, alone) == null
                ? ClosedPeer.graceNanos(environment.control(), now.rank())
                : LAUNCH_NANOS;
        return System.nanoTime() - seenNanos >= timeout ? now : null;
    }

    private @Nullable Vain now() {
        Vain launch = ofLaunch(environment, alone);
        return launch == null ? ofMessages() : launch;
    }

    /**
     * Finds the launch of all ranks that a launch in flight waits for, or is, and that a rank has not made before it
     * closed. Returns null if there is none.
     */
    static @Nullable Vain ofLaunch(ExecutionEnvironment environment, boolean alone) {
        LaunchOrder order = environment.order();
        long first = order.endedShared() + 1;
        int closed = environment.control().closedBefore(first);
        if (closed < 0 || first > order.shared()) {
            return null;
        }
        boolean isAhead = !alone
                || environment
                        .recorder()
                        .firstInFlight()
                        .filter(place -> !place.messages())
                        .isPresent();
        return isAhead ? new Vain(closed, "so never makes launch #" + first + " of all ranks") : null;
    }

    /**
     * Finds active point-to-point transfers, signals or memory accesses whose peer has closed. Returns null if there
     * are none.
     */
    private @Nullable Vain ofMessages() {
        ControlPlane control = environment.control();
        FlightRecorder recorder = environment.recorder();
        Optional<LaunchPlace> first = recorder.firstInFlight().filter(LaunchPlace::messages);
        if (first.isEmpty()) {
            return null;
        }
        List<PendingTransfer> pending = recorder.pending(first.get()).orElseGet(this::ofOwn).stream()
                .filter(transfer -> control.hasClosed(transfer.peer()))
                .toList();
        if (pending.isEmpty() || !isAtWork(recorder, first.get())) {
            return null;
        }
        int rank = pending.getFirst().peer();
        String words = pending.stream()
                .filter(transfer -> transfer.peer() == rank)
                .map(PendingTransfer::description)
                .collect(Collectors.joining(", "));
        return new Vain(rank, "takes no part any more; this rank could not " + words);
    }

    /**
     * Returns the pending transfers of the awaited launch if it alone is in flight. They replace what the recorder does
     * not keep.
     */
    private List<PendingTransfer> ofOwn() {
        LaunchOrder order = environment.order();
        return own == null || !alone || order.taken() - order.endedCount() != 1 ? List.of() : own.pending();
    }

    private boolean isAtWork(FlightRecorder recorder, LaunchPlace first) {
        if (recorder.pending(first).isPresent()) {
            return recorder.atWork(first, TIMEOUT).filter(begun -> begun > 0).isPresent();
        }
        return own != null && own.askAtWork(TIMEOUT).filter(begun -> begun > 0).isPresent();
    }
}
