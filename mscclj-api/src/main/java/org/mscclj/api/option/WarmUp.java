package org.mscclj.api.option;

import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A class of calls that the ranks set up when they open a communicator, so that the first of these calls is launched at
 * once, like all later ones. The calls pass memory that is not registered. Without a warm-up, the ranks set a class up
 * together when they make its first call.
 *
 * @param collective the collective
 * @param type the type of elements
 * @param op the operation; {@link ReduceOp.Kind#NOP} for collectives that reduce nothing
 * @param root the root; 0 for collectives without one
 * @param inPlace whether input and output share memory as in the collective's in-place form
 * @param maxBytes the size of the largest call, in bytes of the larger buffer; at least 1
 */
public record WarmUp(Collective collective, DataType type, ReduceOp.Kind op, int root, boolean inPlace, long maxBytes) {
    /**
     * Checks what does not depend on the number of ranks.
     *
     * @throws InvalidArgumentException if the size is less than 1, or the operation does not suit collective and type
     */
    public WarmUp {
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        if (maxBytes < 1) {
            throw InvalidArgumentException.of("size of the largest call of a warm-up", maxBytes, "1 or more bytes");
        }
        if (collective.reduces() == (op == ReduceOp.Kind.NOP)) {
            throw InvalidArgumentException.of(
                    "operation of a warm-up of " + collective,
                    op,
                    collective.reduces() ? "one that reduces" : "nop, since nothing is reduced");
        }
        if (!op.supports(type)) {
            throw InvalidArgumentException.of("operation of a warm-up on " + type, op, "one that this type has");
        }
    }

    /** Returns the class of in-place sums on all ranks. */
    public static WarmUp allReduce(DataType type, long maxBytes) {
        return new WarmUp(Collective.ALLREDUCE, type, ReduceOp.Kind.SUM, 0, true, maxBytes);
    }

    /** Returns the class of in-place calls of a collective without a root; sums if it reduces. */
    public static WarmUp of(Collective collective, DataType type, long maxBytes) {
        return new WarmUp(
                collective, type, collective.reduces() ? ReduceOp.Kind.SUM : ReduceOp.Kind.NOP, 0, true, maxBytes);
    }

    /** Returns a copy for another operation. */
    public WarmUp op(ReduceOp.Kind changed) {
        return new WarmUp(collective, type, changed, root, inPlace, maxBytes);
    }

    /** Returns a copy for another root. */
    public WarmUp root(int changed) {
        return new WarmUp(collective, type, op, changed, inPlace, maxBytes);
    }

    /** Returns a copy for calls whose input and output share no memory. */
    public WarmUp outOfPlace() {
        return new WarmUp(collective, type, op, root, false, maxBytes);
    }
}
