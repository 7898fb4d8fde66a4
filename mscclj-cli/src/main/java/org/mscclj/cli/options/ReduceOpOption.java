package org.mscclj.cli.options;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Checks {@code --op} against {@code --dtype}. */
public final class ReduceOpOption {
    private ReduceOpOption() {}

    /**
     * The operation itself.
     *
     * @throws InvalidArgumentException if it is not defined on the type
     */
    public static ReduceOp checked(ReduceOp op, DataType type) {
        if (!op.kind().supports(type)) {
            throw new InvalidArgumentException("--op is " + op + ", which is not defined on " + type
                    + "; use an integer --dtype, or another --op");
        }
        if (op.kind() == ReduceOp.Kind.PREMUL_SUM && !type.isFloat() && op.factor() != Math.rint(op.factor())) {
            throw new InvalidArgumentException(
                    "--op is " + op + "; for " + type + " the factor must be a whole number");
        }
        return op;
    }
}
