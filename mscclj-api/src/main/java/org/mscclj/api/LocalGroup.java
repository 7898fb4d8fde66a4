package org.mscclj.api;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.mscclj.api.error.AbortedException;

/**
 * A group of ranks in this JVM, with one {@link Communicator} each. Collective calls of different ranks must come from
 * different threads, as {@link #run} does.
 */
public interface LocalGroup extends AutoCloseable {
    /** The task of one rank. */
    @FunctionalInterface
    interface RankTask {
        /** Runs with the rank's communicator; an exception that it throws fails the whole group. */
        void run(Communicator communicator) throws Exception;
    }

    /** The function of one rank. */
    @FunctionalInterface
    interface RankFunction<T> {
        /** Runs with the rank's communicator; an exception that it throws fails the whole group. */
        T call(Communicator communicator) throws Exception;
    }

    /** Opens a group with the best available backend. */
    static LocalGroup open(int ranks) {
        return open(LocalGroupOptions.ranks(ranks));
    }

    /**
     * Opens a group.
     *
     * @throws org.mscclj.api.error.UnsupportedException if the backend is not available; the message lists the
     *     available backends, and the reason for each other one
     */
    static LocalGroup open(LocalGroupOptions options) {
        Objects.requireNonNull(options, "options");
        return Platform.instance().openLocalGroup(options);
    }

    /** Number of ranks. */
    int size();

    /** The communicator of a rank. */
    Communicator communicator(int rank);

    /**
     * Runs the task on every rank, each in a thread of its own, and returns when all have ended. If one fails, the
     * group is aborted so that the others end too. The first failure is thrown, with the other failures suppressed in
     * it: an unchecked exception as it is, a checked exception inside an {@link AbortedException}.
     */
    void run(RankTask task);

    /**
     * Runs the function on every rank, as {@link #run} does, and returns the results.
     *
     * @return the values, by rank; unmodifiable
     */
    default <T> List<T> call(RankFunction<T> function) {
        Objects.requireNonNull(function, "function");
        AtomicReferenceArray<T> values = new AtomicReferenceArray<>(size());
        run(communicator -> values.set(
                communicator.rank(), Objects.requireNonNull(function.call(communicator), "the function's value")));
        return IntStream.range(0, size()).mapToObj(values::get).toList();
    }

    /** Aborts every communicator of the group; see {@link Communicator#abort}. */
    void abort(String reason);

    /** Closes every communicator and frees their memory. Idempotent. */
    @Override
    void close();
}
