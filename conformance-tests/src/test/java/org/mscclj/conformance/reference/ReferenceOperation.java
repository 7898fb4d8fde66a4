package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.element.Elements;
import org.mscclj.spi.device.BackendDevice;

/** A call that is carried out by the communicator's thread, launch after launch. */
final class ReferenceOperation implements PreparedOperation {
    private static final int LATE_MILLIS = 40;

    private final ReferenceCommunicator communicator;
    private final List<CollectiveCall> calls;
    private final CollectiveCall own;
    private final Defect defect;
    private final List<CompletableFuture<Void>> launches = new ArrayList<>();
    private final Set<DeviceBuffer> retained;
    private boolean closed;

    ReferenceOperation(ReferenceCommunicator communicator, List<CollectiveCall> calls) {
        this.communicator = communicator;
        this.defect = communicator.defect();
        this.calls = calls;
        this.own = defect.replace(calls.get(communicator.rank()));
        this.retained =
                Set.of(own.input()).contains(own.output()) ? Set.of(own.input()) : Set.of(own.input(), own.output());
        retained.forEach(((BackendDevice) communicator.device())::retain);
    }

    @Override
    public void launch(Stream stream) {
        if (communicator.isAborted()) {
            throw new AbortedException("the communicator was aborted");
        }
        CompletableFuture<Void> end = new CompletableFuture<>();
        launches.add(end);
        long number = launches.size();
        if (!defect.isMade(number)) {
            return;
        }
        boolean alone = communicator.begin();
        LaunchCount.of(communicator.launches()).made(communicator.rank(), communicator.size());
        communicator.queue().execute(() -> {
            try {
                carryOut(number, alone, end);
                end.complete(null);
            } catch (RuntimeException e) {
                end.completeExceptionally(e);
            } finally {
                communicator.end();
            }
        });
    }

    private void carryOut(long number, boolean alone, CompletableFuture<Void> end) {
        Meeting meeting = communicator.launches();
        meeting.meet(communicator.rank(), number, communicator::isAborted);
        DeviceBuffer output = defect.output(own);
        Elements old = new Elements(own.output().segment(), own.type());
        long[] before = new long[Math.toIntExact(old.count())];
        for (int i = 0; i < before.length; i++) {
            before[i] = old.get(i);
        }
        Launch launch = new Launch(
                communicator.rank(),
                communicator.size(),
                number,
                alone,
                own,
                before,
                ReferenceCommunicator.compute(own, calls, communicator.rank()));
        meeting.meet(communicator.rank(), number, communicator::isAborted);
        if (!ReferenceCommunicator.defines(own, communicator.rank()) && !defect.writesWithoutResult(own)) {
            return;
        }
        defect.beforeWrite(launch);
        if (defect.endsEarly()) {
            end.complete(null);
            pause();
        }
        launch.write(output);
        defect.afterWrite(launch);
    }

    private static void pause() {
        try {
            Thread.sleep(LATE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run(Duration timeout) {
        launch();
        join(timeout);
    }

    @Override
    public boolean isCompleted() {
        return launches.stream().allMatch(CompletableFuture::isDone);
    }

    @Override
    public void join(Duration timeout) {
        if (launches.isEmpty()) {
            return;
        }
        long end = System.nanoTime() + timeout.toNanos();
        for (CompletableFuture<Void> launch : List.copyOf(launches)) {
            try {
                launch.get(
                        defect.joinsInTime() ? Math.max(0, end - System.nanoTime()) : Long.MAX_VALUE,
                        TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (communicator.isAborted()) {
                    throw new AbortedException("the communicator was aborted");
                }
                throw new OperationTimeoutException(
                        "not ended after " + timeout,
                        LaunchCount.of(communicator.launches()).behind(communicator.rank()));
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException unchecked) {
                    throw unchecked;
                }
                throw new AbortedException("failed", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AbortedException("interrupted", e);
            }
        }
    }

    @Override
    public String algorithm() {
        return defect.algorithm(own);
    }

    @Override
    public Stream defaultStream() {
        return communicator.stream();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (!communicator.isAborted() && launches.stream().anyMatch(launch -> !launch.isDone())) {
                try {
                    join(communicator.timeout());
                } catch (OperationTimeoutException e) {
                    communicator.abort("closed while in flight");
                }
            }
            retained.forEach(((BackendDevice) communicator.device())::release);
        }
    }
}
