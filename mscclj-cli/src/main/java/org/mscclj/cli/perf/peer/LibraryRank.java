package org.mscclj.cli.perf.peer;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.SampleSize;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.spi.fallback.FallbackCommunicator;

/** One rank of a library that runs in the same processes. */
final class LibraryRank implements RankPeer {
    /** Size up to which results of the library are checked, in bytes: enough to show that it was called correctly. */
    private static final long MAX_CHECKED_BYTES = 1 << 20;

    private static final long SEED = 1;

    private final String name;
    private final FallbackCommunicator communicator;
    private final boolean symmetric;
    private final RankSession session;
    private final Consumer<String> notes;
    private final Stream stream;
    private final Set<String> printed = new HashSet<>();

    LibraryRank(
            String name,
            FallbackCommunicator communicator,
            boolean symmetric,
            RankSession session,
            Consumer<String> notes) {
        this.name = name;
        this.communicator = communicator;
        this.symmetric = symmetric;
        this.session = session;
        this.notes = notes;
        this.stream = session.communicator().device().createStream();
    }

    @Override
    public Optional<PeerTimer> prepare(PeerCall call) {
        CheckedCall shape = call.shape();
        Optional<String> refusal = communicator.refusal(shape.collective(), shape.type(), shape.op(), shape.inPlace());
        if (refusal.isPresent()) {
            note(refusal.get());
            return Optional.empty();
        }
        MeasuredCall measured = MeasuredCall.prepare(
                session,
                shape,
                this::allocate,
                (_, input, output) ->
                        new LibraryOperation(name, communicator, shape, call.root(), input, output, stream));
        try {
            if (shape.messageBytes() <= MAX_CHECKED_BYTES) {
                LaunchFindings verdict = measured.check(SEED);
                if (!verdict.isRight()) {
                    note(verdict.wrong() + " elements of a result of " + shape.messageBytes()
                            + " bytes exceed the tolerance");
                }
            }
            measured.fillWithZeros();
            // The library sets up resources at the first call of each signature; a capture must not contain that.
            measured.warmUp(1);
            return Optional.of(new Timer(measured, measured.batch(call.method(), call.launches()), call.size()));
        } catch (RuntimeException | Error e) {
            endAfterFailure();
            try (measured) {
                throw e;
            }
        }
    }

    private DeviceBuffer allocate(long bytes) {
        try {
            return communicator.allocate(bytes, symmetric);
        } catch (UnsupportedException e) {
            if (symmetric) {
                throw e;
            }
            return session.communicator().device().allocate(bytes);
        }
    }

    /** Prints a note once, and not on every rank. */
    private void note(String what) {
        if (session.rank() == 0 && printed.add(what)) {
            notes.accept(name + ": " + what);
        }
    }

    @Override
    public void close() {
        try (communicator;
                stream) {
            try {
                session.beginClose();
            } finally {
                endAfterFailure();
            }
        }
    }

    /** After the failure of a rank the other ranks do not wait for the library. */
    private void endAfterFailure() {
        if (session.hasFailed()) {
            communicator.abort();
        }
    }

    private final class Timer implements PeerTimer {
        private final MeasuredCall call;
        private final Batch batch;
        private final SampleSize size;

        Timer(MeasuredCall call, Batch batch, SampleSize size) {
            this.call = call;
            this.batch = batch;
            this.size = size;
        }

        @Override
        public void warmUp(Duration time) {
            call.warmUp(time, batch, size);
        }

        @Override
        public double[] time(int samples) {
            return call.time(samples, batch, size);
        }

        @Override
        public void close() {
            endAfterFailure();
            try (call;
                    batch) {
                // in this order: the batch uses the call
            }
        }
    }
}
