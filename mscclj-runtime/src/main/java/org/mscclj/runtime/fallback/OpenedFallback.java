package org.mscclj.runtime.fallback;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.Collective;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.foreign.ForeignLaunches;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.ForeignSpec;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackProvider;

/** The communicator of a fallback on one rank. */
final class OpenedFallback implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(OpenedFallback.class.getName());

    /**
     * A collective with a root, 0 if it has none: sends and receives of a library connect the root with the other
     * ranks.
     */
    private record Connected(Collective collective, int root) {
        static Connected by(FallbackCall call) {
            return new Connected(call.collective(), call.root());
        }
    }

    private final ExecutionEnvironment environment;
    private final FallbackCommunicator communicator;
    private final ForeignLaunches launches;
    private final Runnable whenAborted = this::startAbort;

    /** What the library has carried out a call of, on all ranks. */
    private final Set<Connected> ready = new HashSet<>();

    /** Whether this is closed because not all ranks have opened theirs. */
    private volatile boolean abandoned;

    private OpenedFallback(
            ExecutionEnvironment environment, FallbackProvider provider, FallbackCommunicator communicator) {
        this.environment = environment;
        this.communicator = communicator;
        this.launches = new ForeignLaunches(
                environment
                        .device()
                        .planEngine()
                        .open(new ForeignSpec(
                                provider.name(),
                                environment.control().rank(),
                                environment.order(),
                                environment.abort(),
                                this::failure,
                                this::end)),
                false); // the library waits for it until an abort
        environment.abort().whenSet(whenAborted);
    }

    /**
     * Opens the communicator of this rank. Collective. Waits for other ranks as long as collective calls of this rank
     * do now.
     *
     * @param id the id that rank 0 has created
     * @param limit the longest time that the library's call, and each later one, may block
     */
    static OpenedFallback open(ExecutionEnvironment environment, FallbackProvider provider, byte[] id, Duration limit) {
        FallbackCommunicator communicator = LibraryCall.make(
                environment,
                "opening fallback " + provider.name(),
                () -> provider.open(
                        environment.device(),
                        id,
                        environment.control().rank(),
                        environment.control().size(),
                        limit),
                OpenedFallback::endAlone);
        try {
            return new OpenedFallback(environment, provider, communicator);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.<AutoCloseable>of(communicator, communicator::abort), e);
            throw e;
        }
    }

    /** Ends a communicator that this rank does without: its calls would wait for other ranks. */
    private static void endAlone(FallbackCommunicator alone) {
        try {
            Resources.close(List.<AutoCloseable>of(alone, alone::abort)); // last first
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "a communicator of a fallback that was not needed could not be ended", e);
        }
    }

    FallbackCommunicator communicator() {
        return communicator;
    }

    ForeignLaunches launches() {
        return launches;
    }

    /** Returns whether all ranks have carried out such a call; equal on all ranks. */
    boolean isReady(FallbackCall call) {
        return ready.contains(Connected.by(call));
    }

    /** Records that all ranks have carried out such a call. */
    void ready(FallbackCall call) {
        ready.add(Connected.by(call));
    }

    /** An abort of a library that the ranks do without must not end the communicator. */
    private Optional<MsccljException> failure() {
        return abandoned ? Optional.empty() : communicator.failure();
    }

    /**
     * Enqueues a call. If the library has failed, or the communicator is aborted, the call may be enqueued or not: then
     * it counts as enqueued, so that its buffers stay until the stream is past it, and a join says why it has failed.
     *
     * @throws MsccljException if the library refuses the call; then nothing is enqueued
     */
    void enqueue(CollectiveCall call, Stream stream) {
        try {
            communicator.enqueue(
                    call.collective(), call.input(), call.output(), call.type(), call.op(), call.root(), stream);
        } catch (MsccljException e) {
            if (communicator.failure().isEmpty() && !environment.abort().isSet()) {
                throw e;
            }
            LOGGER.log(Level.DEBUG, "a call of a fallback that has failed, or whose communicator is aborted", e);
        }
    }

    /** An action of an abort must not block, and the library's abort may. */
    private void startAbort() {
        Thread.ofPlatform().daemon().name("mscclj-fallback-abort").start(this::abort);
    }

    private void abort() {
        try {
            communicator.abort();
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "the abort of a communicator of a fallback failed", e);
        }
    }

    /** Ends the library's communicator. Its launches have ended, and no graph has one. */
    private void end() {
        environment.abort().forget(whenAborted);
        communicator.close();
    }

    /** Closes a communicator that not all ranks have opened: its calls would wait for the others. */
    void abandon(Throwable cause) {
        abandoned = true;
        Resources.closeSuppressing(List.<AutoCloseable>of(this, this::abort), cause); // last first
    }

    @Override
    public void close() {
        launches.engine().close();
    }
}
