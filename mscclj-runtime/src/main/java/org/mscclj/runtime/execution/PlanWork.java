package org.mscclj.runtime.execution;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;

/** One launch of a prepared plan. */
public final class PlanWork implements Work {
    private final PreparedPlan prepared;
    private final long number;
    private final long sequence;
    private final Duration timeout;
    private final boolean only;

    private PlanWork(PreparedPlan prepared, long number, long sequence, Duration timeout, boolean only) {
        this.prepared = prepared;
        this.number = number;
        this.sequence = sequence;
        this.timeout = timeout;
        this.only = only;
    }

    /** Launches a prepared plan, which stays prepared. */
    public static PlanWork launch(PreparedPlan prepared, ExecutionEnvironment environment) {
        return launch(prepared, environment, false);
    }

    /** Launches a plan that was prepared for this launch alone. What was prepared is freed when somebody has joined. */
    public static PlanWork launchOnce(PreparedPlan prepared, ExecutionEnvironment environment) {
        return launch(prepared, environment, true);
    }

    private static PlanWork launch(PreparedPlan prepared, ExecutionEnvironment environment, boolean only) {
        long number = prepared.launchNumbered();
        return new PlanWork(prepared, number, environment.order().shared(), environment.timeout(), only);
    }

    @Override
    public boolean isCompleted() {
        return prepared.isCompleted(number);
    }

    @Override
    public void await(Stream stream) {
        prepared.orderAfter(number, stream);
    }

    @Override
    public void join() {
        join(timeout);
    }

    @Override
    public void join(Duration limit) {
        prepared.join(number, TimeUnit.NANOSECONDS.convert(limit));
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
