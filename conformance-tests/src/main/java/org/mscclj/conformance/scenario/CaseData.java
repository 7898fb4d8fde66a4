package org.mscclj.conformance.scenario;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;

/**
 * The inputs of all ranks, and the contents of outputs before a launch. The values are hashes of seed, rank and
 * position, so that every rank can compute the data of every other rank without communication.
 */
public final class CaseData {
    private static final long POISON = 0x5eed0fbad0000001L;
    private static final long FIRST_MIX = 0x3c6ef372fe94f82bL;

    /**
     * The maximum number of factors that differ from 1. With it, no partial product leaves the range of the narrowest
     * type.
     */
    private static final int MAX_FACTORS = 5;

    private final TestCase test;
    private final long seed;
    private final int bits;
    private final long mask;
    private final ElementCodec codec;
    private final long largestWhole;
    private final int active;

    /** Creates the data of a case. */
    public CaseData(TestCase test) {
        DataType type = test.type();
        this.test = test;
        this.seed = Hash.mix(test.seed() ^ FIRST_MIX);
        this.bits = Byte.SIZE * type.byteSize();
        this.mask = -1L >>> (Long.SIZE - bits);
        this.codec = new ElementCodec(type.isFloat() ? type : DataType.FLOAT64);
        boolean product = test.op().kind() == ReduceOp.Kind.PRODUCT;
        // The limit of a sum: whole numbers of a float's precision; half the range of an integer, to allow for a factor
        // of 2.
        long budget = type.isFloat() ? 1L << codec.precision() : 1L << Math.min(bits - 2, 40);
        this.largestWhole = Math.max(1, budget / test.world());
        this.active = product
                ? Math.min(test.world(), MAX_FACTORS)
                : (int) Math.min(test.world(), Math.max(1, budget / largestWhole));
    }

    /** Returns the bits of an element of a rank's input. */
    public long input(int rank, long index) {
        long hash = Hash.of(seed, rank, index);
        if (test.op().equals(ReduceOp.NOP)) {
            return hash & mask;
        }
        return test.type().isFloat() ? floating(rank, index, hash) : integer(rank, index, hash);
    }

    /** Returns the bits of an element of an output before the launch. */
    public long poison(int rank, long index) {
        return Hash.of(seed ^ POISON, rank, index) & mask;
    }

    private long integer(int rank, long index, long hash) {
        if (test.data() == DataShape.WIDE) {
            return hash & mask;
        }
        return switch (test.op().kind()) {
            case MIN, MAX, BAND, BOR, BXOR -> hash & (mask >>> 1);
            case PRODUCT -> isActive(rank, index) ? 1 + (hash & 1) : 1;
            default -> isActive(rank, index) ? Math.floorMod(hash, largestWhole + 1) : 0;
        };
    }

    private long floating(int rank, long index, long hash) {
        return switch (test.data()) {
            case SPECIAL -> (hash >>> 60 == 0 ? hash & (1L << (bits - 1)) : hash) & mask;
            case INEXACT -> mantissa(hash, codec.bias() - 1 - (int) ((hash >>> 56) & 3));
            case ROUNDED -> mantissa(hash, codec.bias() - (int) ((hash >>> 56) & 1));
            // The sign is equal on all ranks, so that nothing cancels.
            case OVERFLOWING ->
                codec.encode(
                        ((Hash.mix(seed ^ index) & 1) == 0 ? 1 : -1) * codec.largest() * ((hash & 1) == 0 ? 1 : 0.25));
            case EXACT, WIDE -> exact(rank, index, hash);
        };
    }

    private long exact(int rank, long index, long hash) {
        return switch (test.op().kind()) {
            case PRODUCT ->
                codec.encode(((hash & 1) == 0 ? 1 : -1)
                        * (isActive(rank, index) ? Math.scalb(1.0, Math.floorMod((int) (hash >>> 56), 3) - 1) : 1));
            case MIN, MAX -> mantissa(hash, codec.bias() - 1 + (int) ((hash >>> 56) & 3));
            default ->
                codec.encode(
                        isActive(rank, index)
                                ? (double) (Math.floorMod(hash, 2 * largestWhole + 1) - largestWhole)
                                : 0);
        };
    }

    /**
     * Returns whether a rank contributes to an element. If the contributions of all ranks would be too many, a window
     * of ranks contributes, which differs for every index.
     */
    private boolean isActive(int rank, long index) {
        return active == test.world() || Math.floorMod(rank - Hash.mix(seed ^ index), test.world()) < active;
    }

    private long mantissa(long hash, int biasedExponent) {
        long fraction = hash & ((1L << codec.mantissaBits()) - 1);
        return ((hash >>> 63) << (bits - 1)) | ((long) biasedExponent << codec.mantissaBits()) | fraction;
    }
}
