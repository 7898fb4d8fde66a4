package org.mscclj.conformance.element;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Reduces floating-point elements: a float64 reference, and the range around it that rounding can reach. The range is
 * one value where every order of combining gives one result: for minimum and maximum, for whole numbers whose sum of
 * magnitudes is representable, and for factors that are powers of two.
 */
final class FloatReduction extends Reduction {
    private static final long DOUBLE_MANTISSA = (1L << 52) - 1;

    private final ElementCodec codec;
    private final ReduceOp op;
    private final int ranks;

    /**
     * The factor of each contribution: for averages a power of two, so that no sum overflows where the average does
     * not.
     */
    private final double scale;

    private final double divisor;
    private final boolean scalesExactly;
    private final double errorFactor;
    private final double largestExact;

    private double result;
    private double magnitudes;
    private double wholeMagnitudes;
    private boolean exact;
    private boolean first;
    private double least;
    private double greatest;

    FloatReduction(DataType type, ReduceOp op, int ranks) {
        this.codec = new ElementCodec(type);
        this.op = op;
        this.ranks = ranks;
        boolean averages = op.kind() == ReduceOp.Kind.AVG;
        this.scale = averages ? 1.0 / powerOfTwo(ranks) : op.factor();
        this.divisor = averages ? ranks * scale : 1;
        this.scalesExactly = divisor == 1 && isPowerOfTwo(scale);
        this.errorFactor = (ranks - 1) * codec.epsilon();
        this.largestExact = Math.scalb(1.0, codec.precision());
    }

    /** Returns the smallest power of two that is not less than a number. */
    private static long powerOfTwo(int number) {
        return 1L << (Integer.SIZE - Integer.numberOfLeadingZeros(number - 1));
    }

    private static boolean isPowerOfTwo(double number) {
        return (Double.doubleToRawLongBits(number) & DOUBLE_MANTISSA) == 0;
    }

    @Override
    public void start() {
        first = true;
        exact = true;
        magnitudes = 0;
        wholeMagnitudes = 0;
    }

    @Override
    public void add(long bits) {
        double value = codec.decode(bits);
        switch (op.kind()) {
            case SUM, AVG, PREMUL_SUM -> {
                double scaled = value * scale;
                result = first ? scaled : result + scaled;
                magnitudes += Math.abs(scaled);
                wholeMagnitudes += Math.abs(value);
                exact &= value == Math.rint(value);
            }
            case PRODUCT -> {
                result = first ? value : result * value;
                exact &= isPowerOfTwo(value);
            }
            case MIN -> result = first ? value : Math.min(result, value);
            case MAX -> result = first ? value : Math.max(result, value);
            default -> throw new IllegalStateException(op + " is not defined on floating point");
        }
        first = false;
    }

    @Override
    public void finish() {
        if (isScaled()) {
            finishScaled();
            return;
        }
        double error = switch (op.kind()) {
            case SUM -> exact && magnitudes <= largestExact ? 0 : errorFactor * magnitudes;
            case PRODUCT -> exact ? 0 : errorFactor * Math.abs(result);
            default -> 0;
        };
        least = result - error;
        greatest = result + error;
    }

    /**
     * Computes the range for scaled contributions. An implementation may scale contributions before it adds them, which
     * rounds each of them. It may also add them in more bits, and round the sum before and after a division. A result
     * that does not overflow must not become infinite.
     */
    private void finishScaled() {
        result /= divisor;
        boolean isExact = exact && wholeMagnitudes <= largestExact && scalesExactly;
        double error =
                isExact ? 0 : (ranks + 1) * codec.epsilon() * magnitudes / divisor + ranks * codec.leastPositive();
        least = codec.round(result - error);
        greatest = codec.round(result + error);
        if (Math.abs(result) <= codec.largest()) {
            least = Math.max(least, -codec.largest());
            greatest = Math.min(greatest, codec.largest());
        }
    }

    private boolean isScaled() {
        return op.kind() == ReduceOp.Kind.AVG || op.kind() == ReduceOp.Kind.PREMUL_SUM;
    }

    @Override
    public boolean accepts(long bits) {
        double actual = codec.decode(bits);
        if (op.kind() == ReduceOp.Kind.MIN || op.kind() == ReduceOp.Kind.MAX) {
            return Double.compare(result, actual) == 0; // -0 is not 0 here, and every NaN is NaN
        }
        return least <= actual && actual <= greatest;
    }

    @Override
    public String expected() {
        return least < greatest
                ? result + " (" + least + " to " + greatest + ")"
                : String.valueOf(isScaled() ? codec.round(result) : result);
    }

    @Override
    public String text(long bits) {
        return String.valueOf(codec.decode(bits));
    }
}
