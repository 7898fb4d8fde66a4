package org.mscclj.cli.check;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;

/**
 * The inputs of all ranks: a hash of seed, rank and position, so that any element can be made again without keeping it.
 *
 * <p>Integers, and whatever is only moved, are random bits. Sums of floating point are of two kinds, by turns: whole
 * numbers so small that every partial sum is exact, which leave no tolerance for a misplaced chunk to hide in, and
 * numbers of random mantissa. Products likewise: powers of two, and random mantissas.
 */
public final class InputData {
    private enum Kind {
        BITS,
        SUM,
        PRODUCT,
        EXTREMUM
    }

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    /** So many factors differ from 1 and −1 that no partial product leaves the normal range of the narrowest type. */
    private static final int MOST_FACTORS = 5;

    private final long seed;
    private final int ranks;
    private final Kind kind;
    private final long mask;
    private final ElementCodec codec;
    private final int signShift;
    private final long largestWhole;
    private final int active;
    private final int topExponent;

    /** The inputs of a call. */
    public InputData(CallShape shape, long seed) {
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
                kind == Kind.PRODUCT ? Math.min(ranks, MOST_FACTORS) : (int) Math.min(ranks, budget / largestWhole);
        this.topExponent = codec.bias() - 1 - halvings(codec.largest(), ranks);
    }

    private static Kind kindOf(CallShape shape) {
        if (!shape.type().isFloat() || shape.op().equals(ReduceOp.NOP)) {
            return Kind.BITS;
        }
        return switch (shape.op().kind()) {
            case MIN, MAX -> Kind.EXTREMUM;
            case PRODUCT -> Kind.PRODUCT;
            default -> Kind.SUM;
        };
    }

    /** How often 1 must be halved so that the sum of all ranks stays below half the largest number. */
    private static int halvings(double largest, int ranks) {
        int halvings = 0;
        while (Math.scalb((double) ranks, -halvings) > largest / 2) {
            halvings++;
        }
        return halvings;
    }

    /** The bits of an element. */
    public long bits(int rank, long index) {
        long hash = mix(mix(seed + index * GOLDEN) + (rank + 1) * GOLDEN);
        return switch (kind) {
            case BITS -> hash & mask;
            case SUM ->
                (index & 1) == 0 ? whole(rank, index, hash) : mantissa(hash, topExponent - (int) ((hash >>> 56) & 3));
            case PRODUCT -> factor(rank, index, hash);
            // Any bits, NaN and infinity among them, and zeros of either sign more often than chance would have it.
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

    /** A window of ranks, another one for every index, takes part where all of them would be too many. */
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
