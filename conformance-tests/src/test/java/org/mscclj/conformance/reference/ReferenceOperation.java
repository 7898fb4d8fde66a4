package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.conformance.element.Elements;
import org.mscclj.spi.device.BackendDevice;

/** A call that is carried out by the communicator's thread, launch after launch. */
final class ReferenceOperation implements PreparedOperation {
    private static final int LATE_MILLIS = 40;

    private final ReferenceCommunicator communicator;
    private final CollectiveCall asked;
    private final String words;
    private final CollectiveCall own;
    private final Defect defect;
    private final List<CompletableFuture<Void>> launches = new ArrayList<>();
    private final Set<DeviceBuffer> retained;
    private final OperationDescription description;
    private int lastPlace;
    private long lastNumber;
    private boolean closed;

    /**
     * A call that is ready.
     *
     * @param words equal on all ranks for calls that match
     */
    ReferenceOperation(ReferenceCommunicator communicator, CollectiveCall call, String words) {
        this.communicator = communicator;
        this.defect = communicator.defect();
        this.asked = call;
        this.description = ReferenceHooks.describe(call);
        this.words = words;
        this.own = defect.replace(call);
        this.retained = !defect.retainsBuffers()
                ? Set.of()
                : Set.of(own.input()).contains(own.output()) ? Set.of(own.input()) : Set.of(own.input(), own.output());
        retained.forEach(((BackendDevice) communicator.device())::retain);
    }

    @Override
    public void launch(Stream stream) {
        communicator.requireStream(stream);
        if (defect.hearsAborts(asked)) {
            communicator.throwIfEnded();
        }
        if (closed && !defect.launchesWhatIsClosed()) {
            throw new InvalidArgumentException("this operation is closed; prepare another one");
        }
        communicator.lookForNan(asked);
        communicator.compare(words);
        communicator.hooks().before(description);
        CompletableFuture<Void> end = new CompletableFuture<>();
        launches.add(end);
        long number = launches.size();
        lastNumber = communicator.number();
        if (!defect.isMade(number)) {
            return;
        }
        boolean alone = communicator.begin();
        lastPlace = LaunchCount.of(communicator.launches()).made(communicator.rank(), communicator.size(), words);
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
        communicator.hooks().after(description, lastNumber);
    }

    private void carryOut(long number, boolean alone, CompletableFuture<Void> end) {
        Meeting meeting = communicator.launches();
        long start = System.nanoTime();
        List<CollectiveCall> calls = meeting.meet(communicator.rank(), asked, waiting()).stream()
                .map(CollectiveCall.class::cast)
                .toList();
        if (calls.stream()
                        .map(call -> List.of(ReferenceCommunicator.compared(call), call.algorithm()))
                        .distinct()
                        .count()
                > 1) {
            if (!defect.waitsForTheSame()) {
                return;
            }
            waitInVain();
        }
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
                (System.nanoTime() - start) / 1_000_000,
                alone,
                own,
                before,
                ReferenceCommunicator.compute(own, calls, communicator.rank()));
        meeting.meet(communicator.rank(), number, waiting());
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

    private Meeting.Wait waiting() {
        long start = System.nanoTime();
        return missing -> {
            if (defect.hearsAborts(asked)) {
                communicator.throwIfEnded();
            }
            communicator
                    .terms()
                    .late()
                    .filter(limit -> System.nanoTime() - start > limit.toNanos())
                    .ifPresent(limit -> communicator.expire(missing));
        };
    }

    /** What others have launched is something else. */
    private void waitInVain() {
        while (true) {
            communicator.throwIfEnded();
            pause();
        }
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
        Objects.requireNonNull(timeout, "timeout");
        launch();
        join(timeout);
    }

    /** The number of the last launch, among those of the communicator. */
    long lastNumber() {
        return lastNumber;
    }

    /** The end of the last launch. */
    CompletableFuture<Void> lastEnd() {
        return launches.getLast();
    }

    @Override
    public boolean isCompleted() {
        return launches.stream().allMatch(CompletableFuture::isDone);
    }

    @Override
    public Work lastLaunch() {
        if (launches.isEmpty()) {
            throw new InvalidArgumentException("nothing was launched yet; launch this operation first");
        }
        Duration limit = asked.options().timeout().orElse(communicator.timeout());
        return new ReferenceWork(communicator, this, lastNumber, lastEnd(), limit, _ -> {}, false);
    }

    @Override
    public void join(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
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
                if (defect.hearsAborts(asked)) {
                    communicator.throwIfEnded();
                }
                throw new OperationTimeoutException(
                        "not ended after " + timeout + "; "
                                + defect.diagnosis(
                                        LaunchCount.of(communicator.launches()).words(lastPlace)),
                        LaunchCount.of(communicator.launches()).behind(communicator.rank()));
            } catch (ExecutionException e) {
                communicator.throwIfEnded(); // then others may have closed what was to be read
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
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                awaitEnd();
            } finally {
                retained.forEach(((BackendDevice) communicator.device())::release);
            }
        }
    }

    /** Waits for what is in flight. A launch that an abort or a lost rank ends has ended too. */
    private void awaitEnd() {
        if (communicator.isAborted() || isCompleted()) {
            return;
        }
        try {
            join(communicator.timeout());
        } catch (OperationTimeoutException e) {
            communicator.abort("closed while in flight");
        } catch (AbortedException | RankLostException _) {
            // the launches have ended, which is all that closing waits for
        }
    }
}
