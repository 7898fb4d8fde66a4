package org.mscclj.conformance.operation;

import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;

/** How a step repeats a call. */
enum Form {
    /** A new call each time. */
    EAGER("") {
        @Override
        Making making(Communicator communicator, Supplier<PreparedOperation> prepare, Supplier<Work> execute) {
            return new Making() {
                private Optional<Work> late = Optional.empty();

                @Override
                public void run() {
                    Work work = execute.get();
                    try {
                        work.join();
                    } catch (OperationTimeoutException e) {
                        late = Optional.of(work); // it is still in flight
                        throw e;
                    }
                }

                @Override
                public void close() {
                    late.ifPresent(Making::joinToItsEnd);
                }
            };
        }
    },

    /** Launches of a prepared operation. */
    PREPARED("prepared-") {
        @Override
        Making making(Communicator communicator, Supplier<PreparedOperation> prepare, Supplier<Work> execute) {
            PreparedOperation operation = prepare.get();
            return new Making() {
                @Override
                public void run() {
                    operation.run(communicator.timeout());
                }

                @Override
                public void close() {
                    operation.close();
                }
            };
        }
    },

    /** Replays of a graph that holds one launch. */
    REPLAYED("replayed-") {
        @Override
        Making making(Communicator communicator, Supplier<PreparedOperation> prepare, Supplier<Work> execute) {
            try (PreparedOperation operation = prepare.get()) {
                Stream stream = communicator.stream();
                return replaying(communicator, stream.capture(() -> operation.launch(stream)));
            }
        }
    };

    private final String prefix;

    Form(String prefix) {
        this.prefix = prefix;
    }

    /** Returns the prefix of the names of operations in this form. */
    String prefix() {
        return prefix;
    }

    /**
     * Prepares the operation. Collective, like the call itself.
     *
     * @param prepare the call, prepared
     * @param execute the call, made once
     */
    abstract Making making(Communicator communicator, Supplier<PreparedOperation> prepare, Supplier<Work> execute);

    /**
     * Returns an operation that replays a graph on the communicator's stream. Collective: a device that ranks share
     * creates no graph while a launch of one rank waits for another rank.
     */
    static Making replaying(Communicator communicator, Graph graph) {
        communicator.barrier();
        return new Making() {
            @Override
            public void run() {
                graph.launch(communicator.stream());
                // the communicator's own timeout passes first, and its message has more details
                communicator.stream().synchronize(communicator.timeout().multipliedBy(2));
                if (communicator.isAborted()) { // a stream does not report how its launches have ended
                    communicator.barrier(); // throws the reason
                }
            }

            @Override
            public void close() {
                graph.close();
            }
        };
    }
}
