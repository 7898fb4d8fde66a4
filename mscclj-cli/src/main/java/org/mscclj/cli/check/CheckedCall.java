package org.mscclj.cli.check;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * The description of a checked call: a collective, its options and its size.
 *
 * @param collective the collective
 * @param ranks number of ranks
 * @param inPlace whether input and output share memory
 * @param count elements of a slice: of the whole buffer, or of one rank's part
 * @param type element type
 * @param op the reduction; nop for a collective without one
 * @param sources the ranks from which data may come
 */
public record CheckedCall(
        Collective collective, int ranks, boolean inPlace, long count, DataType type, ReduceOp op, Sources sources) {
    /** Returns the number of elements of an input. */
    public long inputCount() {
        return count * collective.inputSlices(ranks);
    }

    /** Returns the number of elements of an output. */
    public long outputCount() {
        return count * collective.outputSlices(ranks);
    }

    /** Returns the size of a slice in bytes. */
    public long sliceBytes() {
        return count * type.byteSize();
    }

    /** Returns the size of an input in bytes. */
    public long inputBytes() {
        return inputCount() * type.byteSize();
    }

    /** Returns the size of an output in bytes. */
    public long outputBytes() {
        return outputCount() * type.byteSize();
    }

    /**
     * Returns the reported size in bytes, as in nccl-tests: that of the output for allgather, that of the input
     * otherwise.
     */
    public long messageBytes() {
        return collective == Collective.ALLGATHER ? outputBytes() : inputBytes();
    }

    /** Returns the reduction as tables show it. */
    public String opLabel() {
        return collective.reduces() ? op.label() : "none";
    }
}
