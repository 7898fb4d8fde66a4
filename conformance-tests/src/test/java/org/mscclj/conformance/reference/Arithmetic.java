package org.mscclj.conformance.reference;

import java.math.BigInteger;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;
import org.mscclj.conformance.element.Elements;

/** Reduces elements in the order of ranks, written apart from what the suite compares with. */
final class Arithmetic {
    private final DataType type;
    private final ReduceOp op;
    private final ElementCodec codec;
    private final int unused;
    private final boolean unsigned;

    /** By rank; 1 for all but premultiplied sums. */
    private final double[] factors;

    /**
     * The reduction of calls.
     *
     * @param ops the operation that each rank asks for: all of one kind
     */
    Arithmetic(DataType type, List<ReduceOp> ops) {
        this.type = type;
        this.op = ops.getFirst();
        this.codec = new ElementCodec(type.isFloat() ? type : DataType.FLOAT64);
        this.unused = Long.SIZE - Byte.SIZE * type.byteSize();
        this.unsigned = type.family() == DataType.Family.UNSIGNED;
        this.factors = ops.stream()
                .mapToDouble(each ->
                        each.memory().map(memory -> number(memory, type)).orElse(each.factor()))
                .toArray();
    }

    /** The element at the beginning of some memory. */
    static double number(DeviceBuffer memory, DataType type) {
        long bits = new Elements(memory.segment(), type).get(0);
        return type.isFloat() ? new ElementCodec(type).decode(bits) : bits;
    }

    long reduce(long[] contributions) {
        return type.isFloat() ? floats(contributions) : cut(integers(contributions));
    }

    private long widen(long bits) {
        return unsigned ? bits << unused >>> unused : bits << unused >> unused;
    }

    private long cut(long value) {
        return value << unused >>> unused;
    }

    private long integers(long[] contributions) {
        if (op.kind() == ReduceOp.Kind.AVG) {
            return average(contributions);
        }
        long result = widen(contributions[0]) * (long) factors[0];
        for (int i = 1; i < contributions.length; i++) {
            long next = widen(contributions[i]) * (long) factors[i];
            int order = unsigned ? Long.compareUnsigned(next, result) : Long.compare(next, result);
            result = switch (op.kind()) {
                case PRODUCT -> result * next;
                case MIN -> order < 0 ? next : result;
                case MAX -> order > 0 ? next : result;
                case BAND -> result & next;
                case BOR -> result | next;
                case BXOR -> result ^ next;
                default -> result + next;
            };
        }
        return result;
    }

    /** By numbers of any size, toward zero. */
    private long average(long[] contributions) {
        BigInteger sum = BigInteger.ZERO;
        for (long contribution : contributions) {
            long value = widen(contribution);
            BigInteger exact = unsigned ? new BigInteger(Long.toUnsignedString(value)) : BigInteger.valueOf(value);
            sum = sum.add(exact);
        }
        return sum.divide(BigInteger.valueOf(contributions.length)).longValue();
    }

    private long floats(long[] contributions) {
        if (op.kind() == ReduceOp.Kind.MIN || op.kind() == ReduceOp.Kind.MAX) {
            return extremum(contributions, op.kind() == ReduceOp.Kind.MIN);
        }
        // Exact, and small enough that no sum of averages overflows.
        double scale = op.kind() == ReduceOp.Kind.AVG ? 1.0 / 1024 : 1;
        double result = narrow(codec.decode(contributions[0]) * factors[0] * scale);
        for (int i = 1; i < contributions.length; i++) {
            double next = narrow(codec.decode(contributions[i]) * factors[i] * scale);
            result = narrow(op.kind() == ReduceOp.Kind.PRODUCT ? result * next : result + next);
        }
        double divisor = op.kind() == ReduceOp.Kind.AVG ? contributions.length * scale : 1;
        return codec.encode(narrow(result / divisor));
    }

    /** One of the contributions, bit for bit; a NaN if there is one. */
    private long extremum(long[] contributions, boolean least) {
        long result = contributions[0];
        for (long next : contributions) {
            double a = codec.decode(result);
            double b = codec.decode(next);
            if (!Double.isNaN(a)
                    && (Double.isNaN(b) || (least ? Double.compare(b, a) < 0 : Double.compare(b, a) > 0))) {
                result = next;
            }
        }
        return result;
    }

    private double narrow(double value) {
        return type == DataType.FLOAT64 ? value : (float) value;
    }
}
