package org.mscclj.conformance.element;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Floating point: a float64 reference and the range around it that rounding can reach. The range is one value where every
 * order of combining gives the same: for minimum and maximum, for whole numbers whose sum of magnitudes is representable, and
 * for factors that are powers of two.
 */
final class FloatReduction extends Reduction {
    private static final long DOUBLE_MANTISSA = (1L << 52) - 1;

    private final ElementCodec codec;
    private final ReduceOp op;
    private final int ranks;
    private final boolean isDouble;
    private final double errorFactor;
    private final double largestExact;

    private double result;
    private double magnitudes;
    private boolean exact;
    private boolean first;
    private double least;
    private double greatest;

    FloatReduction(DataType type, ReduceOp op, int ranks) {
        this.codec = new ElementCodec(type);
        this.op = op;
        this.ranks = ranks;
        this.isDouble = type == DataType.FLOAT64;
        this.errorFactor = (ranks - 1) * codec.epsilon();
        this.largestExact = Math.scalb(1.0, codec.precision());
    }

    @Override
    public void start() {
        first = true;
        exact = true;
        magnitudes = 0;
    }

    @Override
    public void add(long bits) {
        double value = codec.decode(bits);
        switch (op.kind()) {
            case SUM, AVG, PREMUL_SUM -> {
                result = first ? value : result + value;
                magnitudes += Math.abs(value);
                exact &= value == Math.rint(value);
            }
            case PRODUCT -> {
                result = first ? value : result * value;
                exact &= (Double.doubleToRawLongBits(value) & DOUBLE_MANTISSA) == 0;
            }
            case MIN -> result = first ? value : Math.min(result, value);
            case MAX -> result = first ? value : Math.max(result, value);
            default -> throw new IllegalStateException(op + " is not defined on floating point");
        }
        first = false;
    }

    @Override
    public void finish() {
        double error = switch (op.kind()) {
            case SUM, AVG, PREMUL_SUM -> exact && magnitudes <= largestExact ? 0 : errorFactor * magnitudes;
            case PRODUCT -> exact ? 0 : errorFactor * Math.abs(result);
            default -> 0;
        };
        double low = scale(result - error);
        double high = scale(result + error);
        least = Math.min(low, high);
        greatest = Math.max(low, high);
    }

    /** What becomes of a sum when the launch has ended; both roundings, of the sum and of the scaled sum, are monotonic. */
    private double scale(double sum) {
        return switch (op.kind()) {
            case AVG -> scaled(codec.round(sum), ranks, true);
            case PREMUL_SUM -> scaled(codec.round(sum), op.factor(), false);
            default -> sum;
        };
    }

    private double scaled(double sum, double by, boolean divide) {
        if (isDouble) {
            return divide ? sum / by : sum * by;
        }
        return codec.round(divide ? (float) sum / (float) by : (float) sum * (float) by);
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
        return least < greatest ? result + " (" + least + " to " + greatest + ")" : String.valueOf(scale(result));
    }

    @Override
    public String text(long bits) {
        return String.valueOf(codec.decode(bits));
    }
}
