package org.mscclj.api;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.MsccljException;

/**
 * An operation in flight. Safe for use by several threads.
 *
 * <p>An operation that was captured is not in flight, and never ends: its graph runs it, any number of times. So that
 * the same code can be captured, its {@link #join()} returns at once while the stream is being captured, as what is
 * captured next comes after it, and {@link #await} orders another stream of the capture. Whatever else asks for its end
 * throws, or a future ends with, {@link org.mscclj.api.error.InvalidArgumentException}: wait for the stream on which
 * the graph is launched.
 */
public interface Work {
    /** How an operation stands. */
    enum Status {
        /**
         * It has not ended. After an abort an operation may stay so for half a second, or longer behind other work on
         * its stream.
         */
        IN_FLIGHT,
        /** It has ended, and its results are valid. */
        SUCCEEDED,
        /** It has ended without valid results; {@link Work#failure} says why. */
        FAILED
    }

    /** Whether it has ended, successfully or not; {@link #status} tells which. Does not block. */
    boolean isCompleted();

    /** How it stands now. Does not block. */
    default Status status() {
        if (!isCompleted()) {
            return Status.IN_FLIGHT;
        }
        return failure().isPresent() ? Status.FAILED : Status.SUCCEEDED;
    }

    /**
     * What {@link #join()} throws, if the operation has ended and failed; empty if it has not ended, or has succeeded.
     * Does not block.
     */
    default Optional<MsccljException> failure() {
        if (!isCompleted()) {
            return Optional.empty();
        }
        try {
            join(Duration.ZERO); // it has ended, so this does not wait
            return Optional.empty();
        } catch (MsccljException e) {
            return Optional.of(e);
        }
    }

    /**
     * Orders work that is enqueued on the stream from now on after this operation. Does not block. If the operation
     * fails later, the stream goes on all the same: only {@link #join()} and {@link #toCompletableFuture} tell of that.
     *
     * @throws org.mscclj.api.error.AbortedException if the communicator was aborted already, or what
     *     {@link #join(Duration)} throws in its place
     */
    void await(Stream stream);

    /** {@link #join(Duration)} with the timeout of the call, or if it names none with the communicator's. */
    void join();

    /**
     * Blocks until the operation has ended. A time that is longer than the timeout of the call, and the communicator's,
     * is of no use: then the operation is late, and its communicator is aborted.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if it takes longer; names the operation, its sequence
     *     number and the ranks that did not arrive. The operation stays in flight: join again, or abort the
     *     communicator.
     * @throws org.mscclj.api.error.AbortedException if the communicator was aborted
     */
    void join(Duration timeout);

    /**
     * A future that ends with the operation: normally, or with what {@link #join()} would throw that begins to wait
     * now. So a timeout ends the future, and leaves the operation in flight.
     *
     * <p>One thread of the process completes all such futures, never a driver's. What is chained to the future without
     * a thread of its own runs in it, and holds up the others: let what takes long, or waits for communication, run
     * elsewhere, by the {@code …Async} methods. Cancelling or completing the future does not change the operation.
     */
    default CompletableFuture<Void> toCompletableFuture() {
        return Platform.instance().future(this);
    }

    /** What runs: the name of the plan, or of the algorithm that a collective uses. */
    String algorithm();

    /**
     * Position among the launches that all ranks of the communicator make, from 1: the number by which messages about
     * faults name it. Of messages from rank to rank, which only some ranks launch, that of the last such launch before.
     * 0 if it was captured: each replay has a position of its own.
     */
    long sequence();
}
