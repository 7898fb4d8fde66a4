package org.mscclj.plan.preference;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/**
 * The program that serves messages of a collective from a size on.
 *
 * @param collective the collective
 * @param ranks number of ranks
 * @param registered whether the ranks access each other's buffers
 * @param leastBytes the least message, in bytes: the output of an allgather, the input of other collectives
 * @param program the label of the program
 * @param blocks thread blocks of each rank
 */
public record SelectionRow(
        Collective collective, int ranks, boolean registered, long leastBytes, String program, int blocks) {
    /** Checks the numbers. */
    public SelectionRow {
        if (ranks < 2) {
            throw InvalidArgumentException.of("ranks", ranks, "2 or more");
        }
        if (leastBytes < 0) {
            throw InvalidArgumentException.of("least message", leastBytes + " bytes", "0 or more");
        }
        if (blocks < 1) {
            throw InvalidArgumentException.of("thread blocks", blocks, "1 or more");
        }
    }

    /** Returns whether both rows are for the same calls, of some size. */
    boolean isOfSection(SelectionRow other) {
        return collective == other.collective && ranks == other.ranks && registered == other.registered;
    }
}
