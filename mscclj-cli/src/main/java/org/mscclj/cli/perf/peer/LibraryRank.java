package org.mscclj.cli.perf.peer;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.Verdict;
import org.mscclj.cli.measure.Batch;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.spi.fallback.FallbackCommunicator;

/** A rank's end of a library that works in our processes. */
final class LibraryRank implements RankPeer {
    /** Its results are not what is measured: a look at some small ones tells that it was called rightly. */
    private static final long MOST_CHECKED_BYTES = 1 << 20;

    private static final long SEED = 1;

    private final String name;
    private final FallbackCommunicator communicator;
    private final boolean symmetric;
    private final RankSession session;
    private final Consumer<String> notes;
    private final Stream stream;
    private final Set<String> told = new HashSet<>();

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
        CallShape shape = call.shape();
        Optional<String> refusal = communicator.refusal(shape.collective(), shape.type(), shape.op(), shape.inPlace());
        if (refusal.isPresent()) {
            tell(refusal.get());
            return Optional.empty();
        }
        MeasuredCall measured = MeasuredCall.prepare(
                session,
                shape,
                this::allocate,
                (_, input, output) ->
                        new LibraryOperation(name, communicator, shape, call.root(), input, output, stream));
        try {
            if (shape.messageBytes() <= MOST_CHECKED_BYTES) {
                Verdict verdict = measured.check(SEED);
                if (!verdict.isRight()) {
                    tell(verdict.wrong() + " elements of a result of " + shape.messageBytes()
                            + " bytes are not within our bounds");
                }
            }
            measured.fillWithZeros();
            // What the library sets up at the first call of a kind must not be captured.
            measured.warmUp(1);
            return Optional.of(new Timer(measured, measured.batch(call.method(), call.launches())));
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

    /** Once, and not by every rank. */
    private void tell(String what) {
        if (session.rank() == 0 && told.add(what)) {
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

    /** Nobody waits for what ranks that have failed do not take part in any more. */
    private void endAfterFailure() {
        if (session.hasFailed()) {
            communicator.abort();
        }
    }

    private final class Timer implements PeerTimer {
        private final MeasuredCall call;
        private final Batch batch;

        Timer(MeasuredCall call, Batch batch) {
            this.call = call;
            this.batch = batch;
        }

        @Override
        public double[] time(int batches) {
            return call.time(batches, batch);
        }

        @Override
        public void close() {
            endAfterFailure();
            try (call;
                    batch) {
                // in this order: the batch is of the call
            }
        }
    }
}
