package org.mscclj.cli.check;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;

/**
 * What is run and checked: a plan and a size.
 *
 * @param plan the plan
 * @param count elements of a slice: of the whole buffer, or of one rank's part
 * @param type element type
 * @param op how contributions are combined; nop if the plan only moves data
 * @param packetType the format of packets
 */
public record CallShape(Plan plan, long count, DataType type, ReduceOp op, PacketType packetType) {
    /** Number of ranks. */
    public int ranks() {
        return plan.worldSize();
    }

    /** What the plan computes. */
    public Collective collective() {
        return plan.collective();
    }

    /** Elements of an input. */
    public long inputCount() {
        return count * collective().inputSlices(ranks());
    }

    /** Elements of an output. */
    public long outputCount() {
        return count * collective().outputSlices(ranks());
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

    /** The size that the plan's limits speak of, in bytes. */
    public long messageBytes() {
        return collective() == Collective.ALLGATHER ? outputBytes() : inputBytes();
    }
}
