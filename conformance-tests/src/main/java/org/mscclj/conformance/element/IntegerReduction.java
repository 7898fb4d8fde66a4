package org.mscclj.conformance.element;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Reduces integers in 64-bit arithmetic and truncates the result to the type's width, which equals arithmetic that
 * wraps at that width. Averages never wrap: the quotients by the number of ranks and the remainders are added
 * separately.
 */
final class IntegerReduction extends Reduction {
    private final ReduceOp op;
    private final int ranks;
    private final boolean unsigned;
    private final int unusedBits;

    private long result;
    private long remainders;
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
        remainders = 0;
    }

    @Override
    public void add(long bits) {
        long value = contribution(widen(bits));
        result = first ? value : combine(result, value);
        first = false;
    }

    private long contribution(long element) {
        return switch (op.kind()) {
            case AVG -> {
                long quotient = unsigned ? Long.divideUnsigned(element, ranks) : Math.floorDiv(element, ranks);
                remainders += element - quotient * ranks;
                yield quotient;
            }
            case PREMUL_SUM -> element * (long) op.factor();
            default -> element;
        };
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
            result += remainders / ranks;
            boolean roundsUp = !unsigned && result < 0 && remainders % ranks != 0;
            result += roundsUp ? 1 : 0; // rounds toward zero
        }
    }

    /** Returns the low bits of the type's width, extended by sign or by zeros. */
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
