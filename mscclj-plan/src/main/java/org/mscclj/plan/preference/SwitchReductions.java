package org.mscclj.plan.preference;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * The reductions that every switch between GPUs does. Others are emulated by loads from all ranks, so that other
 * programs are faster for them. Depends on its arguments only, because ranks with different choices would deadlock:
 * what only the switches of some GPUs do is not among them.
 */
public final class SwitchReductions {
    private SwitchReductions() {}

    /** Returns whether every switch reduces values of a type by an operation. */
    public static boolean include(DataType type, ReduceOp.Kind operation) {
        boolean isFloat = type.isFloat();
        return switch (operation.combiner()) {
            case SUM -> type.byteSize() >= Integer.BYTES || type == DataType.FLOAT16 || type == DataType.BFLOAT16;
            case MIN, MAX -> !isFloat && type.byteSize() >= Integer.BYTES;
            case BAND, BOR, BXOR -> !isFloat;
            default -> false;
        };
    }
}
