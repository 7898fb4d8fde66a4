package org.mscclj.runtime.execution.operation;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.event.OperationEvent;
import org.mscclj.runtime.execution.context.LaunchContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.waiting.LaunchWait;
import org.mscclj.runtime.hook.RankHooks;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.engine.PreparedLaunch;

/** A call of a plan, a native algorithm or a fallback that is ready to run on certain buffers. */
public final class PreparedCall implements PreparedOperation, BufferUser {
    /** Value in place of a launch's number if the launch was captured. */
    static final long CAPTURED = -1;

    private final Preparation preparation;
    private final ExecutionEnvironment environment;
    private final LaunchContext context;
    private final PreparedLaunch launch;
    private final HeldResources resources;
    private final long mayTakeNanos;
    private final long timeoutNanos;
    private final @Nullable NanCheck nanCheck;
    private final LaunchWait wait;
    private final OperationClosing closing;
    private final RecordedOperation recorded;
    private final RecordedReplays replays;

    /** Whether other ranks need not launch this operation. */
    private final boolean alone;

    /**
     * Number of the last launch among the launches that all ranks make, or of the last such launch before it; for
     * messages.
     */
    private long lastSequence;

    private volatile boolean closed;

    public PreparedCall(
            Preparation preparation,
            ExecutionEnvironment environment,
            LaunchContext context,
            PreparedLaunch launch,
            RecordedAs what,
            List<AutoCloseable> resources) {
        this.preparation = preparation;
        this.environment = environment;
        this.context = context;
        this.launch = launch;
        this.resources = new HeldResources(environment.device(), this, resources);
        this.mayTakeNanos = preparation.mayTakeNanos();
        this.nanCheck = preparation.nanCheck();
        this.timeoutNanos = TimeUnit.NANOSECONDS.convert(environment.timeout());
        this.alone = !what.ofAllRanks();
        this.recorded = new RecordedOperation(
                what.description(),
                what.words(),
                what.transfers(),
                preparation.places(),
                new RecordedProgress(environment, context, launch));
        this.replays = new RecordedReplays(environment, recorded, alone);
        this.wait = new LaunchWait(environment, context, launch, recorded, alone);
        this.closing = new OperationClosing(preparation.algorithm(), wait, this.resources, this::refuse);
        launch.listenToReplays(replays);
    }

    /**
     * Enqueues and records a launch, and calls the hooks. For a captured launch, the replays are recorded instead.
     * Until the next launch, {@code launch.enqueued()} returns the number of this one among the launches of this
     * operation.
     *
     * @param mayTake time after which the watchdog declares the launch late, in nanoseconds; 0 for the time of other
     *     launches
     * @return the launch's number among the launches that all ranks make, or of the last such launch before;
     *     {@link #CAPTURED} if it was captured
     */
    private long enqueue(Stream on, boolean callerJoins, long mayTake) {
        RankHooks hooks = environment.hooks();
        if (!hooks.isEmpty()) {
            hooks.before(recorded.description());
        }
        OperationEvent event = EventRecorder.recordOperations() ? OperationEvent.begun() : null;
        long ticket = launch.enqueue(on, callerJoins);
        long sequence = 0;
        if (ticket == 0) {
            replays.captured(mayTake);
            environment.recorder().captured(recorded, mayTake);
        } else {
            sequence = environment.order().numberAt(ticket);
            lastSequence = sequence;
            environment.recorder().launched(recorded, alone, launch.enqueued(), ticket, sequence, mayTake);
        }
        if (event != null && event.shouldCommit()) {
            event.commit(environment.links().name(), recorded.description(), sequence);
        }
        if (!hooks.isEmpty()) {
            hooks.after(recorded.description(), sequence);
        }
        return ticket == 0 ? CAPTURED : sequence;
    }

    @Override
    public void launch(Stream on) {
        Objects.requireNonNull(on, "stream");
        throwIfAborted();
        throwIfClosed();
        lookForNan(on);
        requireSameLaunch();
        long _ = enqueue(on, false, mayTakeNanos);
    }

    /**
     * Launches like {@link #launch}, and is safe while another thread closes one of the buffers. Does not check the
     * input for NaN: the caller has done so before.
     *
     * @param options options of the call that is launched
     * @return the launch's number among the launches that all ranks make, or of the last such launch before;
     *     {@link #CAPTURED} if it was captured
     */
    synchronized long launchNumbered(CallOptions options, Stream on) {
        throwIfAborted();
        if (closed) {
            throw new InvalidArgumentException(
                    algorithm() + ": a buffer of this call is closed; pass buffers that are open");
        }
        return enqueue(on, false, Preparation.mayTakeNanos(options));
    }

    /** Returns the timeout and hints of the call that this operation was prepared for. */
    CallOptions options() {
        return preparation.options();
    }

    /** Returns the number of launches of this operation, which is the number of the last launch until the next one. */
    long launches() {
        return launch.enqueued();
    }

    /** Returns whether the communicator was aborted: then launches end, or their device is lost. */
    public boolean isAborted() {
        return environment.abort().isSet();
    }

    /** Returns the context in which this operation runs. */
    public LaunchContext context() {
        return context;
    }

    /**
     * Throws unless the capture of a captured launch still runs. During the capture, later captured work follows the
     * launch.
     */
    void requireCapturing(Stream stream) {
        throwIfAborted();
        if (!stream.isCapturing()) {
            throw ofGraph();
        }
    }

    /** Creates the exception for a query or a wait for the end of a captured launch. */
    InvalidArgumentException ofGraph() {
        return new InvalidArgumentException(algorithm()
                + ": this call was captured, so it runs when its graph is launched; wait for the stream on"
                + " which that is done");
    }

    /** Orders later work on a stream after a launch. Throws if the communicator was aborted. */
    void orderAfter(long number, Stream later) {
        throwIfAborted();
        launch.orderAfter(number, later);
        throwIfAborted(); // an abort may have ended the launch meanwhile
    }

    /** Sets the action that follows each close after which a graph keeps this operation. */
    void whenLeftToGraph(Runnable action) {
        closing.whenLeftToGraph(action);
    }

    /** Allows the owners of buffers to close them when no launch is in flight. Closing one closes this operation. */
    void letClose(List<DeviceBuffer> buffers) {
        resources.letClose(buffers);
    }

    /**
     * Keeps buffers from being closed until this operation is closed, and from then on while a graph has launches of
     * it.
     */
    void hold(List<AutoCloseable> whatHolds, List<DeviceBuffer> buffers) {
        resources.hold(whatHolds, buffers);
    }

    @Override
    public boolean isUsing() {
        return !launch.isEnded(launch.enqueued()) || launch.isCaptured(); // whatever its result
    }

    @Override
    public void bufferClosed() {
        close();
    }

    /** Returns whether this operation is closed and cannot be launched again. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void run(Duration timeout) {
        run(TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(timeout, "timeout")));
    }

    /** Runs like {@link #run(Duration)}, with a timeout in nanoseconds. */
    public void run(long nanos) {
        throwIfAborted();
        throwIfClosed();
        lookForNan(preparation.stream());
        requireSameLaunch();
        long _ = enqueue(
                preparation.stream(), true, nanos > timeoutNanos ? Math.max(nanos, mayTakeNanos) : mayTakeNanos);
        join(launch.enqueued(), lastSequence, nanos);
    }

    @Override
    public boolean isCompleted() {
        return isCompleted(launch.enqueued());
    }

    @Override
    public Work lastLaunch() {
        long number = launch.enqueued();
        if (number == 0) {
            throw new InvalidArgumentException(
                    algorithm() + ": nothing was launched yet, and captures do not count; launch this operation first");
        }
        return PlanWork.of(this, number, lastSequence, options().timeout().orElse(environment.timeout()));
    }

    boolean isCompleted(long number) {
        return launch.isCompleted(number);
    }

    @Override
    public void join(Duration timeout) {
        join(TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(timeout, "timeout")));
    }

    /** Joins like {@link #join(Duration)}, with a timeout in nanoseconds. */
    public void join(long nanos) {
        join(launch.enqueued(), lastSequence, nanos);
    }

    /**
     * Waits for a launch.
     *
     * @param number number among the launches of this operation
     * @param sequence number among the launches that all ranks make, or of the last such launch before
     */
    void join(long number, long sequence, long nanos) {
        wait.join(number, sequence, nanos);
    }

    /** Returns the wait for launches of this operation. */
    LaunchWait launchWait() {
        return wait;
    }

    /**
     * Checks the input for NaN before ranks compare anything: a rank that is refused here makes its call again alone.
     */
    private void lookForNan(Stream on) {
        if (nanCheck != null) {
            nanCheck.look(on);
        }
    }

    /** Compares the launches of the ranks, if the comparison is on and all ranks launch this operation. */
    private void requireSameLaunch() {
        if (environment.options().checksCalls() && !alone) {
            LaunchComparison.require(
                    environment.control(),
                    recorded.signature(),
                    () -> recorded.transfers().map(PartSizes::of));
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
        return environment.abort().exception(recorded.describe());
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
     * Closes this operation. Returns when everything is freed, also if another thread closes it at this time: until
     * then, resources that the caller closes next may be in use. If a graph has launches of this operation, nothing is
     * freed before the graph is destroyed or the communicator is closed.
     */
    @Override
    public void close() {
        closing.close();
    }

    /** Closes this operation like {@link #close}, and makes replays of graphs fail from now on. */
    void closeForGood() {
        closing.closeForGood();
    }

    /**
     * Frees this operation if it was closed and kept only by graphs that are gone now. Does not block; errors are
     * logged.
     */
    void freeIfForgotten() {
        if (closed) {
            closing.freeIfForgotten();
        }
    }

    /** Lets no launch follow. Returns the number of the last one among the launches that all ranks make. */
    private synchronized long refuse() {
        closed = true;
        launch.refuse();
        return lastSequence;
    }
}
