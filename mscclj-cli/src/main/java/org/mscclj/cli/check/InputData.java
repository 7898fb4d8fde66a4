package org.mscclj.cli.check;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;

/**
 * The inputs of all ranks: a hash of seed, rank and position, so that each element can be computed again and none is
 * stored.
 *
 * <p>Integers, and the data of collectives without a reduction, are random bits. The inputs of floating-point sums
 * alternate between two kinds: small whole numbers, whose partial sums are all exact, so that the tolerance is zero and
 * a misplaced chunk is found; and numbers with random mantissas. Inputs of products alternate between powers of two and
 * random mantissas.
 */
public final class InputData {
    private enum Kind {
        BITS,
        SUM,
        PRODUCT,
        EXTREMUM
    }

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    /**
     * Number of factors that differ from 1 and −1: few enough that each partial product is a normal number of the
     * narrowest type.
     */
    private static final int MAX_FACTORS = 5;

    private final long seed;
    private final int ranks;
    private final Kind kind;
    private final long mask;
    private final ElementCodec codec;
    private final int signShift;
    private final long largestWhole;
    private final int active;
    private final int topExponent;

    /** Creates the inputs of a call. */
    public InputData(CheckedCall shape, long seed) {
        DataType type = shape.type();
        this.seed = seed;
        this.ranks = shape.ranks();
        this.kind = kindOf(shape);
        this.mask = -1L >>> (Long.SIZE - Byte.SIZE * type.byteSize());
        this.codec = new ElementCodec(type.isFloat() ? type : DataType.FLOAT64);
        this.signShift = Byte.SIZE * type.byteSize() - 1;
        long budget = 1L << codec.precision();
        this.largestWhole = Math.max(1, budget / ranks);
        this.active =
                kind == Kind.PRODUCT ? Math.min(ranks, MAX_FACTORS) : (int) Math.min(ranks, budget / largestWhole);
        this.topExponent = codec.bias() - 1 - halvings(codec.largest(), ranks);
    }

    private static Kind kindOf(CheckedCall shape) {
        if (!shape.type().isFloat() || shape.op().equals(ReduceOp.NOP)) {
            return Kind.BITS;
        }
        return switch (shape.op().kind()) {
            case MIN, MAX -> Kind.EXTREMUM;
            case PRODUCT -> Kind.PRODUCT;
            default -> Kind.SUM;
        };
    }

    /** Returns how often 1 must be halved so that the sum over all ranks stays below half the largest number. */
    private static int halvings(double largest, int ranks) {
        int halvings = 0;
        while (Math.scalb((double) ranks, -halvings) > largest / 2) {
            halvings++;
        }
        return halvings;
    }

    /** Returns the bits of an element. */
    public long bits(int rank, long index) {
        long hash = mix(mix(seed + index * GOLDEN) + (rank + 1) * GOLDEN);
        return switch (kind) {
            case BITS -> hash & mask;
            case SUM ->
                (index & 1) == 0 ? whole(rank, index, hash) : mantissa(hash, topExponent - (int) ((hash >>> 56) & 3));
            case PRODUCT -> factor(rank, index, hash);
            // Any bits, including NaN and infinity, with zeros of both signs more often than by chance.
            case EXTREMUM -> (hash >>> 60 == 0 ? hash & (1L << signShift) : hash) & mask;
        };
    }

    private long whole(int rank, long index, long hash) {
        return isActive(rank, index)
                ? codec.encode((double) (Math.floorMod(hash, 2 * largestWhole + 1) - largestWhole))
                : codec.encode(0);
    }

    private long factor(int rank, long index, long hash) {
        if (!isActive(rank, index)) {
            return codec.encode((hash & 1) == 0 ? 1 : -1);
        }
        return (index & 1) == 0
                ? codec.encode(Math.scalb((hash & 1) == 0 ? 1.0 : -1.0, (int) (hash >>> 56) % 3 - 1))
                : mantissa(hash, codec.bias() - (int) ((hash >>> 56) & 1));
    }

    /** Whether a rank's factor differs from 1 and −1: for each index a different window of ranks has such factors. */
    private boolean isActive(int rank, long index) {
        return active == ranks || Math.floorMod(rank - mix(seed ^ index), ranks) < active;
    }

    private long mantissa(long hash, int biasedExponent) {
        long mantissa = hash & ((1L << codec.mantissaBits()) - 1);
        return ((hash >>> 63) << signShift) | ((long) biasedExponent << codec.mantissaBits()) | mantissa;
    }

    /** The finalizer of SplitMix64. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
