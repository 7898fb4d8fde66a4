package org.mscclj.conformance.operation;

import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;

/** How a call is made again and again. */
enum Form {
    /** Anew each time. */
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

    /** By launches of a prepared operation. */
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

    /** By replays of a graph that holds a launch. */
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

    /** Of names of what is made so. */
    String prefix() {
        return prefix;
    }

    /**
     * Makes it ready. Collective, as what it calls.
     *
     * @param prepare the call, prepared
     * @param execute the call, made once
     */
    abstract Making making(Communicator communicator, Supplier<PreparedOperation> prepare, Supplier<Work> execute);

    /**
     * Makes something by replays of a graph, on the communicator's stream. Collective: a device that ranks share makes
     * no graph while a launch of one waits for another.
     */
    static Making replaying(Communicator communicator, Graph graph) {
        communicator.barrier();
        return new Making() {
            @Override
            public void run() {
                graph.launch(communicator.stream());
                // the communicator's own limit comes first, and tells more
                communicator.stream().synchronize(communicator.timeout().multipliedBy(2));
                if (communicator.isAborted()) { // a stream does not tell how what was on it has ended
                    communicator.barrier(); // throws why
                }
            }

            @Override
            public void close() {
                graph.close();
            }
        };
    }
}
