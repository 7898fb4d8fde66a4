package org.mscclj.plan.preference;

import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.type.Collective;

/**
 * The algorithm that serves messages of a collective from a size on.
 *
 * @param collective the collective
 * @param ranks number of ranks
 * @param registered whether the ranks access each other's buffers
 * @param leastBytes the least message, in bytes: the output of an allgather, the input of other collectives
 * @param program the label of the program, or the name of a native algorithm
 * @param size thread blocks of each rank, 1 or more for a program, and the most threads of a block on a GPU; 0 for the
 *     number of the engine, or of a native algorithm
 */
public record SelectionRow(
        Collective collective, int ranks, boolean registered, long leastBytes, String program, LaunchSize size) {
    /** Checks the numbers. */
    public SelectionRow {
        if (ranks < 2) {
            throw InvalidArgumentException.of("ranks", ranks, "2 or more");
        }
        if (leastBytes < 0) {
            throw InvalidArgumentException.of("least message", leastBytes + " bytes", "0 or more");
        }
    }

    /**
     * Returns a row whose program and size are given by a name.
     *
     * @param algorithm the program with its size, as {@code packets@8} or {@code packets@8x512}
     * @throws InvalidArgumentException if what follows {@code @} is no size
     */
    public static SelectionRow of(
            Collective collective, int ranks, boolean registered, long leastBytes, String algorithm) {
        return new SelectionRow(
                collective, ranks, registered, leastBytes, LaunchSize.base(algorithm), LaunchSize.of(algorithm));
    }

    /** Returns the name by which a call asks for the program with its size. */
    public String algorithm() {
        return program + size.suffix();
    }

    /** Whether messages of this row are served as without a table. */
    public boolean isDefault() {
        return algorithm().equals(TuningChoice.DEFAULT);
    }

    /** Returns this row for messages from another size on. */
    SelectionRow from(long bytes) {
        return new SelectionRow(collective, ranks, registered, bytes, program, size);
    }

    /** Returns this row for messages that are served as without a table. */
    public SelectionRow withDefault() {
        return of(collective, ranks, registered, leastBytes, TuningChoice.DEFAULT);
    }

    /** Describes the calls that this row is for, of some size. */
    public String section() {
        return collective + " on " + ranks + " ranks, " + (registered ? "registered" : "plain") + " memory";
    }

    /** Returns whether both rows are for the same calls, of some size. */
    boolean isOfSection(SelectionRow other) {
        return collective == other.collective && ranks == other.ranks && registered == other.registered;
    }
}
