package org.mscclj.runtime.execution.operation;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.waiting.ClosedRanks;
import org.mscclj.runtime.work.AbortableWork;

/** Work of one launch of a prepared plan. */
public final class PlanWork implements AbortableWork {
    private final PreparedCall prepared;
    private final long number;
    private final long sequence;
    private final Duration timeout;
    private final boolean only;

    /** Detects ranks that have closed; created when the first rank has closed. */
    private @Nullable ClosedRanks closed;

    private volatile ClosedRanks.@Nullable Vain vain;

    private PlanWork(PreparedCall prepared, long number, long sequence, Duration timeout, boolean only) {
        this.prepared = prepared;
        this.number = number;
        this.sequence = sequence;
        this.timeout = timeout;
        this.only = only;
    }

    /** Launches a prepared plan, which stays prepared, on a stream, for a call with these options. */
    public static Work launch(PreparedCall prepared, ExecutionEnvironment environment, CallOptions options, Stream on) {
        return launch(prepared, environment, options, on, false);
    }

    /** Launches a plan that was prepared for this launch alone. The first join frees the prepared operation. */
    public static Work launchOnce(PreparedCall prepared, ExecutionEnvironment environment) {
        return launch(prepared, environment, prepared.options(), prepared.defaultStream(), true);
    }

    /** Returns the work of a launch of a plan that stays prepared. */
    static PlanWork of(PreparedCall prepared, long number, long sequence, Duration timeout) {
        return new PlanWork(prepared, number, sequence, timeout, false);
    }

    private static Work launch(
            PreparedCall prepared, ExecutionEnvironment environment, CallOptions options, Stream on, boolean only) {
        long sequence = prepared.launchNumbered(options, on);
        if (sequence == PreparedCall.CAPTURED) {
            return new CapturedWork(prepared, only);
        }
        return new PlanWork(
                prepared, prepared.launches(), sequence, options.timeout().orElse(environment.timeout()), only);
    }

    @Override
    public boolean isCompleted() {
        return prepared.isCompleted(number);
    }

    @Override
    public boolean isAborted() {
        return prepared.isAborted();
    }

    @Override
    public boolean isInVain() {
        if (!prepared.launchWait().mayBeInVain()) {
            return false;
        }
        ClosedRanks looks = closed == null ? prepared.launchWait().closedRanks() : closed;
        closed = looks;
        vain = looks.look();
        return vain != null;
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public MsccljException late(Duration waited) {
        return prepared.launchWait().late(number, sequence, TimeUnit.NANOSECONDS.convert(waited), vain);
    }

    @Override
    public void await(Stream stream) {
        prepared.orderAfter(number, Objects.requireNonNull(stream, "stream"));
    }

    @Override
    public void join() {
        join(timeout);
    }

    @Override
    public void join(Duration limit) {
        prepared.join(number, sequence, TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(limit, "timeout")));
        if (only) {
            prepared.close();
        }
    }

    @Override
    public String algorithm() {
        return prepared.algorithm();
    }

    @Override
    public long sequence() {
        return sequence;
    }
}
