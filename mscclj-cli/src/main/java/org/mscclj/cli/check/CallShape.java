package org.mscclj.cli.check;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * What is run and checked: a collective and a size.
 *
 * @param collective what is computed
 * @param ranks number of ranks
 * @param inPlace whether input and output share memory
 * @param count elements of a slice: of the whole buffer, or of one rank's part
 * @param type element type
 * @param op how contributions are combined; nop if data is only moved
 * @param sources where data may come from
 */
public record CallShape(
        Collective collective, int ranks, boolean inPlace, long count, DataType type, ReduceOp op, Sources sources) {
    /** Elements of an input. */
    public long inputCount() {
        return count * collective.inputSlices(ranks);
    }

    /** Elements of an output. */
    public long outputCount() {
        return count * collective.outputSlices(ranks);
    }

    /** Bytes of a slice. */
    public long sliceBytes() {
        return count * type.byteSize();
    }

    /** Bytes of an input. */
    public long inputBytes() {
        return inputCount() * type.byteSize();
    }

    /** Bytes of an output. */
    public long outputBytes() {
        return outputCount() * type.byteSize();
    }

    /** The size that is reported, as in nccl-tests: the output's for allgather, the input's otherwise, in bytes. */
    public long messageBytes() {
        return collective == Collective.ALLGATHER ? outputBytes() : inputBytes();
    }

    /** The reduce operation as tables show it. */
    public String opLabel() {
        return collective.reduces() ? op.label() : "none";
    }
}
