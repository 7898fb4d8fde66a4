package org.mscclj.conformance.reference;

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
    private final double factor;

    Arithmetic(DataType type, ReduceOp op) {
        this.type = type;
        this.op = op;
        this.codec = new ElementCodec(type.isFloat() ? type : DataType.FLOAT64);
        this.unused = Long.SIZE - Byte.SIZE * type.byteSize();
        this.unsigned = type.family() == DataType.Family.UNSIGNED;
        this.factor = op.memory().map(memory -> number(memory, type)).orElse(op.factor());
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
        long result = widen(contributions[0]);
        for (int i = 1; i < contributions.length; i++) {
            long next = widen(contributions[i]);
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
        return switch (op.kind()) {
            case AVG ->
                unsigned
                        ? Long.divideUnsigned(widen(result), contributions.length)
                        : widen(result) / contributions.length;
            case PREMUL_SUM -> result * (long) factor;
            default -> result;
        };
    }

    private long floats(long[] contributions) {
        if (op.kind() == ReduceOp.Kind.MIN || op.kind() == ReduceOp.Kind.MAX) {
            return extremum(contributions, op.kind() == ReduceOp.Kind.MIN);
        }
        double result = codec.decode(contributions[0]);
        for (int i = 1; i < contributions.length; i++) {
            double next = codec.decode(contributions[i]);
            result = narrow(
                    switch (op.kind()) {
                        case PRODUCT -> result * next;
                        default -> result + next;
                    });
        }
        return switch (op.kind()) {
            case AVG -> codec.encode(narrow(codec.round(result) / contributions.length));
            case PREMUL_SUM -> codec.encode(narrow(codec.round(result) * factor));
            default -> codec.encode(result);
        };
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
