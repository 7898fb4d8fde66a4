package org.mscclj.api.type;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A reduction operation: it combines the contributions of several ranks into one element.
 *
 * <p>Integer arithmetic wraps, except for {@code AVG}. {@code MIN} and {@code MAX} of floating-point values give NaN if
 * any contribution is NaN, and order −0 below +0. The bitwise operations exist for integers only.
 *
 * @param kind the operation
 * @param factor for {@link Kind#PREMUL_SUM} the factor that this rank's contribution is multiplied by; other ranks may
 *     have other factors. 1 for every other kind, and if the factor is in {@code memory}
 * @param memory for {@link Kind#PREMUL_SUM} the location of the factor, if it is in memory of the rank's device
 */
public record ReduceOp(Kind kind, double factor, Optional<DeviceBuffer> memory) {

    /** The operations. */
    public enum Kind {
        /** Nothing is reduced: for collectives that only move data. */
        NOP,
        /** Sum. */
        SUM,
        /** Product. */
        PRODUCT,
        /** Least contribution. */
        MIN,
        /** Greatest contribution. */
        MAX,
        /**
         * Sum divided by the number of ranks. It does not overflow or wrap, even if the sum would; integers truncate
         * towards zero.
         */
        AVG,
        /** Bitwise and. */
        BAND,
        /** Bitwise or. */
        BOR,
        /** Bitwise exclusive or. */
        BXOR,
        /** Sum of contributions, each multiplied by its rank's factor. */
        PREMUL_SUM;

        /** The lower-case name used on command lines and in plans, for example {@code sum}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /**
         * The operation that combines contributions: averages and premultiplied sums are sums of scaled contributions.
         */
        public Kind combiner() {
            return this == AVG || this == PREMUL_SUM ? SUM : this;
        }

        /** Whether this operation is defined on elements of the given type. */
        public boolean supports(DataType type) {
            return switch (this) {
                case BAND, BOR, BXOR -> !type.isFloat();
                default -> true;
            };
        }
    }

    /** {@link Kind#NOP}. */
    public static final ReduceOp NOP = new ReduceOp(Kind.NOP, 1);

    /** {@link Kind#SUM}. */
    public static final ReduceOp SUM = new ReduceOp(Kind.SUM, 1);

    /** {@link Kind#PRODUCT}. */
    public static final ReduceOp PRODUCT = new ReduceOp(Kind.PRODUCT, 1);

    /** {@link Kind#MIN}. */
    public static final ReduceOp MIN = new ReduceOp(Kind.MIN, 1);

    /** {@link Kind#MAX}. */
    public static final ReduceOp MAX = new ReduceOp(Kind.MAX, 1);

    /** {@link Kind#AVG}. */
    public static final ReduceOp AVG = new ReduceOp(Kind.AVG, 1);

    /** {@link Kind#BAND}. */
    public static final ReduceOp BAND = new ReduceOp(Kind.BAND, 1);

    /** {@link Kind#BOR}. */
    public static final ReduceOp BOR = new ReduceOp(Kind.BOR, 1);

    /** {@link Kind#BXOR}. */
    public static final ReduceOp BXOR = new ReduceOp(Kind.BXOR, 1);

    /**
     * Checks the factor, and that nothing is null.
     *
     * @throws InvalidArgumentException if a factor other than 1 is given for a kind that takes none, or it is not
     *     finite
     */
    public ReduceOp {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(memory, "memory");
        if (kind != Kind.PREMUL_SUM && factor != 1) {
            throw InvalidArgumentException.of("factor", factor, "1 for " + kind.label() + "; use premulSum(factor)");
        }
        if (!Double.isFinite(factor)) {
            throw InvalidArgumentException.of("factor", factor, "a finite number");
        }
        if (memory.isPresent() && (kind != Kind.PREMUL_SUM || factor != 1)) {
            throw new InvalidArgumentException(
                    "only premulSum(memory) takes a factor from memory; given: " + kind.label() + ", factor " + factor);
        }
    }

    /** An operation with a factor that is a number, if the kind has one. */
    public ReduceOp(Kind kind, double factor) {
        this(kind, factor, Optional.empty());
    }

    /**
     * Sum of contributions, where this rank's is multiplied by {@code factor} first. Other ranks may pass other
     * factors.
     */
    public static ReduceOp premulSum(double factor) {
        return new ReduceOp(Kind.PREMUL_SUM, factor);
    }

    /**
     * Sum of contributions, where this rank's is multiplied by a factor that is computed on the device. Each launch
     * reads the factor before it reads the input: it sees all earlier writes of the operation's stream, and replays of
     * graphs read the factor again. The factor must not change until the operation has ended, nor may the memory be
     * closed.
     *
     * @param memory of one element of the call's type, aligned to its size; other ranks may have other values
     */
    public static ReduceOp premulSum(DeviceBuffer memory) {
        return new ReduceOp(Kind.PREMUL_SUM, 1, Optional.of(Objects.requireNonNull(memory, "memory")));
    }

    /**
     * The operation with the given name, for example {@code sum}; {@code premul-sum:0.5} carries a factor.
     *
     * @throws InvalidArgumentException if there is none; the message lists the names
     */
    public static ReduceOp parse(String text) {
        Objects.requireNonNull(text, "operation");
        String lower = text.toLowerCase(Locale.ROOT).replace('_', '-');
        int colon = lower.indexOf(':');
        String name = colon < 0 ? lower : lower.substring(0, colon);
        for (Kind kind : Kind.values()) {
            if (kind.label().equals(name)) {
                return kind == Kind.PREMUL_SUM
                        ? premulSum(factorOf(text, colon < 0 ? "" : lower.substring(colon + 1)))
                        : new ReduceOp(kind, colon < 0 ? 1 : factorOf(text, lower.substring(colon + 1)));
            }
        }
        throw InvalidArgumentException.of(
                "reduce operation",
                text,
                Arrays.stream(Kind.values()).map(Kind::label).collect(Collectors.joining(", ", "one of ", "")));
    }

    private static double factorOf(String text, String number) {
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw InvalidArgumentException.of(
                    "reduce operation", text, "premul-sum:FACTOR, for example premul-sum:0.5");
        }
    }

    /** The name that {@link #parse} reads, unless the factor is in memory. */
    public String label() {
        if (kind != Kind.PREMUL_SUM) {
            return kind.label();
        }
        return kind.label() + (memory.isPresent() ? ":(in memory)" : ":" + factor);
    }

    @Override
    public String toString() {
        return label();
    }
}
