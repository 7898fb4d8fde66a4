package org.mscclj.conformance.element;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Integers: 64-bit arithmetic whose result is cut to the type's width, which is arithmetic that wraps at that width. */
final class IntegerReduction extends Reduction {
    private final ReduceOp op;
    private final int ranks;
    private final boolean unsigned;
    private final int unusedBits;

    private long result;
    private boolean first;

    IntegerReduction(DataType type, ReduceOp op, int ranks) {
        this.op = op;
        this.ranks = ranks;
        this.unsigned = type.family() == DataType.Family.UNSIGNED;
        this.unusedBits = Long.SIZE - Byte.SIZE * type.byteSize();
    }

    @Override
    public void start() {
        first = true;
    }

    @Override
    public void add(long bits) {
        long value = widen(bits);
        result = first ? value : combine(result, value);
        first = false;
    }

    private long combine(long a, long b) {
        return switch (op.kind()) {
            case SUM, AVG, PREMUL_SUM -> a + b;
            case PRODUCT -> a * b;
            case MIN -> compare(a, b) <= 0 ? a : b;
            case MAX -> compare(a, b) >= 0 ? a : b;
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
            case NOP -> throw new IllegalStateException("nop reduces nothing");
        };
    }

    private int compare(long a, long b) {
        return unsigned ? Long.compareUnsigned(a, b) : Long.compare(a, b);
    }

    @Override
    public void finish() {
        result = widen(result);
        if (op.kind() == ReduceOp.Kind.AVG) {
            result = unsigned ? Long.divideUnsigned(result, ranks) : result / ranks;
        } else if (op.kind() == ReduceOp.Kind.PREMUL_SUM) {
            result = widen(result * (long) op.factor());
        }
    }

    /** The low bits of the type's width, extended by its sign or by zeros. */
    private long widen(long bits) {
        return unsigned ? (bits << unusedBits) >>> unusedBits : (bits << unusedBits) >> unusedBits;
    }

    @Override
    public boolean accepts(long bits) {
        return widen(bits) == result;
    }

    @Override
    public String expected() {
        return words(result);
    }

    @Override
    public String text(long bits) {
        return words(widen(bits));
    }

    private String words(long value) {
        return unsigned ? Long.toUnsignedString(value) : Long.toString(value);
    }
}
