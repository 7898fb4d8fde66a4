package org.mscclj.runtime.execution.context;

import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;

/**
 * Where the buffers of a call begin in buffers that the ranks have shared, on each rank. In place, one of both is a
 * part of the other one that depends on the rank.
 *
 * @param input bytes from the start of the shared input to the input of rank 0
 * @param inputStep bytes from the input of a rank to that of the next rank
 * @param output bytes from the start of the shared output to the output of rank 0
 * @param outputStep bytes from the output of a rank to that of the next rank
 */
public record BufferParts(long input, long inputStep, long output, long outputStep) {
    /** The whole shared buffers. */
    public static final BufferParts WHOLE = new BufferParts(0, 0, 0, 0);

    /**
     * Returns the parts for a call whose buffers begin at given positions on this rank.
     *
     * @param sliceBytes bytes of a slice
     * @param input bytes from the start of the shared input to this rank's input
     * @param output bytes from the start of the shared output to this rank's output
     */
    public static BufferParts of(Plan plan, int rank, long sliceBytes, long input, long output) {
        Collective collective = plan.collective();
        boolean partOfOutput =
                plan.inPlace() && (collective == Collective.ALLGATHER || collective == Collective.GATHER);
        boolean partOfInput =
                plan.inPlace() && (collective == Collective.REDUCESCATTER || collective == Collective.SCATTER);
        long inputStep = partOfOutput ? sliceBytes : 0;
        long outputStep = partOfInput ? sliceBytes : 0;
        return new BufferParts(input - rank * inputStep, inputStep, output - rank * outputStep, outputStep);
    }

    /** Returns where the input of a rank begins, in bytes. */
    public long input(int rank) {
        return input + rank * inputStep;
    }

    /** Returns where the output of a rank begins, in bytes. */
    public long output(int rank) {
        return output + rank * outputStep;
    }

    /** Returns whether the buffers begin where the shared ones do, on all ranks. */
    public boolean areWhole() {
        return equals(WHOLE);
    }
}
