package org.mscclj.runtime.execution;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.Work;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;

/** The only launch of a plan that was prepared for it. What was prepared is freed when somebody has joined. */
public final class PlanWork implements Work {
    private final PreparedPlan prepared;
    private final long number;
    private final long sequence;
    private final Duration timeout;
    private final Event end;

    private PlanWork(PreparedPlan prepared, long number, long sequence, Duration timeout, Event end) {
        this.prepared = prepared;
        this.number = number;
        this.sequence = sequence;
        this.timeout = timeout;
        this.end = end;
    }

    /** Launches a prepared plan. */
    public static PlanWork launch(PreparedPlan prepared, ExecutionEnvironment environment) {
        long number = prepared.launchNumbered();
        Event end = environment.device().createEvent();
        prepared.defaultStream().record(end);
        return new PlanWork(prepared, number, environment.order().taken(), environment.timeout(), end);
    }

    @Override
    public boolean isCompleted() {
        return prepared.isCompleted(number);
    }

    @Override
    public void await(Stream stream) {
        stream.await(end);
    }

    @Override
    public void join() {
        join(timeout);
    }

    @Override
    public void join(Duration limit) {
        prepared.join(number, TimeUnit.NANOSECONDS.convert(limit));
        prepared.close();
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
