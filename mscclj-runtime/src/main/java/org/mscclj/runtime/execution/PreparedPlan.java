package org.mscclj.runtime.execution;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.event.Events;
import org.mscclj.runtime.event.OperationEvent;
import org.mscclj.runtime.event.WaitEvent;
import org.mscclj.runtime.fault.Blame;
import org.mscclj.runtime.hook.RankHooks;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.transfer.PendingTransfer;

/** A plan that is ready to run on certain buffers. */
public final class PreparedPlan implements PreparedOperation, BufferUser {
    private static final System.Logger LOGGER = System.getLogger(PreparedPlan.class.getName());

    private final Plan plan;
    private final Preparation preparation;
    private final ExecutionEnvironment environment;
    private final PlanContext context;
    private final PreparedLaunch launch;
    private final List<AutoCloseable> resources;
    private final ReentrantLock closing = new ReentrantLock();
    private RecordedOperation recorded;
    private List<AutoCloseable> holds = List.of();
    private List<DeviceBuffer> held = List.of();
    private volatile boolean closed;
    private boolean freed;

    PreparedPlan(
            Plan plan,
            Preparation preparation,
            ExecutionEnvironment environment,
            PlanContext context,
            PreparedLaunch launch,
            List<AutoCloseable> resources) {
        this.plan = plan;
        this.preparation = preparation;
        this.environment = environment;
        this.context = context;
        this.launch = launch;
        this.resources = resources;
        this.recorded = new RecordedOperation(OperationWords.of(plan, preparation), new Progress());
    }

    /** How far the launches are, for the recorder. */
    private final class Progress implements RecordedOperation.Progress {
        @Override
        public boolean isEnded(long number) {
            return launch.isEnded(number);
        }

        @Override
        public boolean isUnderWay() {
            int rank = environment.control().rank();
            return context.started(rank) > context.finished(rank);
        }

        @Override
        public List<PendingTransfer> pending() {
            return launch.pending();
        }
    }

    /** Says what the operation is; to be called before it is launched. */
    void describe(OperationDescription description) {
        describe(description, description);
    }

    /**
     * Says what the operation is; to be called before it is launched.
     *
     * @param words gives, as its string, what it is called
     */
    void describe(OperationDescription description, Object words) {
        recorded = new RecordedOperation(description, words, new Progress());
    }

    /** Enqueues and records a launch, and tells the hooks. Launches that are captured are not recorded. */
    private long enqueue(Stream on, boolean callerJoins) {
        RankHooks hooks = environment.hooks();
        if (!hooks.isEmpty()) {
            hooks.before(recorded.description());
        }
        LaunchOrder order = environment.order();
        OperationEvent event = Events.recordOperations() ? OperationEvent.begun() : null;
        long before = order.taken();
        long number = context.launchesAlone() ? enqueueAlone(on, callerJoins) : launch.enqueue(on, callerJoins);
        long sequence = order.taken();
        if (sequence != before) {
            record(number);
        }
        if (event != null && event.shouldCommit()) {
            event.commit(environment.links().name(), recorded.description(), sequence == before ? 0 : order.shared());
        }
        if (!hooks.isEmpty()) {
            hooks.after(recorded.description(), sequence == before ? 0 : order.shared());
        }
        return number;
    }

    private void record(long number) {
        if (context.launchesAlone()) {
            environment.recorder().enqueuedMessages(recorded, number);
        } else {
            environment
                    .recorder()
                    .enqueued(recorded, number, environment.order().shared());
        }
    }

    /** Enqueues what not all ranks launch, so that those that do not are not blamed for it. */
    private long enqueueAlone(Stream on, boolean callerJoins) {
        LaunchOrder order = environment.order();
        long before = order.taken();
        order.countAlone(1); // first, so that no peer takes it for a launch that it has not made
        try {
            return launch.enqueue(on, callerJoins);
        } finally {
            if (order.taken() == before) { // captured, or refused
                order.countAlone(-1);
            }
        }
    }

    @Override
    public void launch(Stream on) {
        throwIfAborted();
        throwIfClosed();
        requireSameLaunch();
        enqueue(on, false);
    }

    /**
     * Like {@link #launch}, and safe while another thread closes one of the buffers.
     *
     * @return the launch's number among those of this operation
     */
    synchronized long launchNumbered() {
        throwIfAborted();
        if (closed) {
            throw new InvalidArgumentException(
                    algorithm() + ": a buffer of this call is closed; pass buffers that are open");
        }
        return enqueue(preparation.stream(), false);
    }

    /** Where it runs. */
    public PlanContext context() {
        return context;
    }

    /** Orders what is enqueued on a stream from now on after a launch. */
    void orderAfter(long number, Stream later) {
        launch.orderAfter(number, later);
    }

    /** Lets the owners of buffers close them when no launch is in flight, which closes this operation. */
    void letClose(List<DeviceBuffer> buffers) {
        for (DeviceBuffer buffer : buffers) {
            environment.device().addUser(buffer, this);
            resources.add(() -> environment.device().removeUser(buffer, this));
        }
    }

    /** Keeps buffers from being closed until this operation is; from then on, while a graph has launches of it. */
    void hold(List<AutoCloseable> whatHolds, List<DeviceBuffer> buffers) {
        holds = whatHolds;
        held = List.copyOf(buffers);
    }

    @Override
    public boolean isUsing() {
        return !isCompleted() || launch.isCaptured();
    }

    @Override
    public void bufferClosed() {
        close();
    }

    /** Whether this operation can be launched no more. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void run(Duration timeout) {
        run(TimeUnit.NANOSECONDS.convert(timeout));
    }

    /** {@link #run(Duration)} with a timeout in nanoseconds. */
    public void run(long nanos) {
        throwIfAborted();
        throwIfClosed();
        requireSameLaunch();
        long number = enqueue(preparation.stream(), true);
        join(number, nanos);
    }

    @Override
    public boolean isCompleted() {
        return isCompleted(launch.enqueued());
    }

    boolean isCompleted(long number) {
        return launch.isEnded(number);
    }

    @Override
    public void join(Duration timeout) {
        join(TimeUnit.NANOSECONDS.convert(timeout));
    }

    /** {@link #join(Duration)} with a timeout in nanoseconds. */
    public void join(long nanos) {
        join(launch.enqueued(), nanos);
    }

    void join(long number, long nanos) {
        boolean ended = await(number, nanos);
        if (environment.abort().isSet()) {
            throw aborted();
        }
        if (!ended) {
            throw Thread.currentThread().isInterrupted()
                    ? new AbortedException("interrupted while waiting for plan " + plan.name())
                    : timedOut("launch " + number, nanos);
        }
    }

    private boolean await(long number, long nanos) {
        WaitEvent event = Events.recordWaits() ? WaitEvent.begun() : null;
        boolean ended = launch.await(number, nanos);
        if (event != null && event.shouldCommit()) {
            event.commit(environment.links().name(), recorded.description().operation(), number, ended);
        }
        return ended;
    }

    /** Compares what ranks launch, if that is wanted. */
    private void requireSameLaunch() {
        if (environment.options().checksCalls()) {
            environment.control().barrier("launch " + recorded.description());
        }
    }

    private void throwIfClosed() {
        if (closed) {
            throw new InvalidArgumentException(algorithm() + ": this operation is closed; prepare another one");
        }
    }

    private void throwIfAborted() {
        if (environment.abort().isSet()) {
            throw aborted();
        }
    }

    private MsccljException aborted() {
        return environment.abort().exception("plan " + plan.name());
    }

    private OperationTimeoutException timedOut(String what, long nanos) {
        List<PendingTransfer> pending = launch.pending();
        if (!pending.isEmpty()) {
            Blame blame = Blame.ofMessages(environment.control(), environment.recorder(), pending);
            return new OperationTimeoutException(
                    plan.name() + ", " + what + ", rank "
                            + environment.control().rank() + ": not ended after "
                            + Duration.ofNanos(nanos) + "; " + blame.words()
                            + "; abort the communicator, or wait longer",
                    blame.ranks());
        }
        LaunchProgress progress = LaunchProgress.find(environment, context);
        return new OperationTimeoutException(
                "plan " + plan.name() + ", " + what + ", rank "
                        + environment.control().rank() + ": not ended after " + Duration.ofNanos(nanos) + "; "
                        + progress + "; abort the communicator, or wait longer",
                progress.blamed());
    }

    @Override
    public String algorithm() {
        return preparation.algorithm();
    }

    @Override
    public Stream defaultStream() {
        return preparation.stream();
    }

    /**
     * Returns when everything is freed, also to who comes second: what is closed next may be in use until then. If a graph has launches of this
     * operation, nothing is freed before the graph is, or the communicator is closed.
     */
    @Override
    public void close() {
        closing.lock();
        try {
            beginClosing();
            if (launch.isCaptured()) {
                leaveToGraph();
            } else {
                free();
            }
        } finally {
            closing.unlock();
        }
    }

    /** Like {@link #close}, and replays of graphs fail from now on. */
    void closeForGood() {
        closing.lock();
        try {
            beginClosing();
            try {
                if (!freed && launch.isCaptured()) {
                    awaitAll("replays", context.engine()::refuseReplays);
                }
            } finally {
                free();
            }
        } finally {
            closing.unlock();
        }
    }

    /** The owners of buffers may close them once the graph is gone, which frees this. */
    private void leaveToGraph() {
        List<DeviceBuffer> buffers = held;
        if (!freed && !buffers.isEmpty()) {
            held = List.of();
            letClose(buffers);
            Resources.close(holds);
            holds = List.of();
        }
    }

    /** Frees this if it was closed and only graphs have kept it, which are gone now. Does not block; what goes wrong is logged. */
    void freeIfForgotten() {
        if (closed && !launch.isCaptured() && closing.tryLock()) {
            try {
                free();
            } catch (RuntimeException e) {
                LOGGER.log(Level.WARNING, "plan " + plan.name() + " was not freed after its graphs", e);
            } finally {
                closing.unlock();
            }
        }
    }

    private void beginClosing() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        launch.refuse();
        long number = launch.enqueued();
        awaitAll("launch " + number, nanos -> launch.await(number, nanos));
    }

    private void free() {
        if (!freed) {
            freed = true;
            recorded.end();
            List<AutoCloseable> all = new ArrayList<>(holds);
            all.addAll(resources);
            Resources.close(all); // the last first
            holds = List.of();
        }
    }

    /**
     * Waits for what is in flight, whatever happens: it uses the memory that is freed next. What a peer does not join within the
     * communicator's timeout is aborted, so that nobody waits for ever.
     */
    private void awaitAll(String what, LongPredicate within) {
        boolean interrupted = false;
        long start = System.nanoTime();
        long limit = TimeUnit.NANOSECONDS.convert(environment.timeout());
        while (!within.test(Math.max(0, limit - (System.nanoTime() - start)))) {
            interrupted |= Thread.interrupted();
            long waited = System.nanoTime() - start;
            if (waited >= limit) {
                environment
                        .abort()
                        .set("closed while in flight: " + timedOut(what, waited).getMessage());
                limit = Long.MAX_VALUE;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
