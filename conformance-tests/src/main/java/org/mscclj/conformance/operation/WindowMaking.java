package org.mscclj.conformance.operation;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;

/** Accesses to a window, one after the other on the communicator's stream. */
final class WindowMaking {
    private WindowMaking() {}

    /**
     * Prepares the accesses. Collective if they are replayed.
     *
     * @param calls one or more accesses
     */
    static Making of(Communicator communicator, Window window, List<WindowCall> calls, Form form) {
        return switch (form) {
            case EAGER -> eager(window, calls);
            case PREPARED -> prepared(communicator, window, calls);
            case REPLAYED -> {
                Stream stream = communicator.stream();
                try (Prepared prepared = new Prepared(window, calls)) {
                    yield Form.replaying(communicator, stream.capture(() -> prepared.launch(stream)));
                }
            }
        };
    }

    private static Making eager(Window window, List<WindowCall> calls) {
        return new Making() {
            @Override
            public void run() {
                List<Work> works = calls.stream().map(window::execute).toList();
                works.getLast().join(); // ends all accesses before it, as they are on one stream
            }

            @Override
            public void close() {
                // there is nothing to free
            }
        };
    }

    private static Making prepared(Communicator communicator, Window window, List<WindowCall> calls) {
        Prepared prepared = new Prepared(window, calls);
        return new Making() {
            @Override
            public void run() {
                prepared.launch(communicator.stream());
                prepared.operations.getLast().join(communicator.timeout());
            }

            @Override
            public void close() {
                prepared.close();
            }
        };
    }

    /** All accesses, prepared. */
    private static final class Prepared implements AutoCloseable {
        private final List<PreparedOperation> operations = new ArrayList<>();

        Prepared(Window window, List<WindowCall> calls) {
            try {
                calls.forEach(call -> operations.add(window.prepare(call)));
            } catch (RuntimeException | Error e) {
                try (this) {
                    throw e;
                }
            }
        }

        void launch(Stream stream) {
            operations.forEach(operation -> operation.launch(stream));
        }

        @Override
        public void close() {
            operations.forEach(PreparedOperation::close);
        }
    }
}
