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
 * code can be captured without changes, {@link #join()} returns at once while the stream is being captured, since
 * everything captured next is ordered after it, and {@link #await} orders another stream of the capture. Every other
 * method that depends on the end throws {@link org.mscclj.api.error.InvalidArgumentException}, and a future ends with
 * it: wait for the stream on which the graph is launched.
 */
public interface Work {
    /** The state of an operation. */
    enum Status {
        /**
         * It has not ended. After an abort an operation may stay in flight for half a second, or longer behind other
         * work on its stream.
         */
        IN_FLIGHT,
        /** It has ended, and its results are valid. */
        SUCCEEDED,
        /** It has ended without valid results; {@link Work#failure} returns the reason. */
        FAILED
    }

    /** Whether it has ended, successfully or not; {@link #status} returns which. Does not block. */
    boolean isCompleted();

    /** The current state. Does not block. */
    default Status status() {
        if (!isCompleted()) {
            return Status.IN_FLIGHT;
        }
        return failure().isPresent() ? Status.FAILED : Status.SUCCEEDED;
    }

    /**
     * The exception that {@link #join()} throws, if the operation has ended and failed; empty if it has not ended, or
     * has succeeded. Does not block.
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
     * fails later, the stream continues nevertheless: only {@link #join()} and {@link #toCompletableFuture} report the
     * failure.
     *
     * @throws org.mscclj.api.error.AbortedException if the communicator was aborted already, or another exception of
     *     {@link #join(Duration)} in its place
     */
    void await(Stream stream);

    /** {@link #join(Duration)} with the timeout of the call, or with the communicator's if the call names none. */
    void join();

    /**
     * Blocks until the operation has ended. A timeout that is longer than both the call's and the communicator's has no
     * effect: the watchdog aborts the communicator before it expires.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if it takes longer; the message names the operation, its
     *     sequence number and the ranks that did not arrive. The operation stays in flight: join again, or abort the
     *     communicator.
     * @throws org.mscclj.api.error.AbortedException if the communicator was aborted
     */
    void join(Duration timeout);

    /**
     * A future that ends with the operation: normally, or with the exception that a {@link #join()} called now would
     * throw. So a timeout ends the future, and leaves the operation in flight.
     *
     * <p>One thread of the process completes all such futures, never a thread of the driver. Functions that are chained
     * to the future without an executor run in this thread, and delay other futures: run functions that take long, or
     * that wait for communication, by the {@code …Async} methods. Cancelling or completing the future does not change
     * the operation.
     */
    default CompletableFuture<Void> toCompletableFuture() {
        return Platform.instance().future(this);
    }

    /** The name of the plan, or of the algorithm that a collective uses. */
    String algorithm();

    /**
     * Position among the launches that all ranks of the communicator make, from 1: the number by which messages about
     * faults name it. For a point-to-point call, which only some ranks launch, it is the position of the last launch of
     * all ranks before it. It is 0 if the operation was captured: each replay has its own position.
     */
    long sequence();
}
