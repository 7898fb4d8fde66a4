package org.mscclj.support.interpreter;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.Scaling;
import org.mscclj.spi.engine.SumForm;
import org.mscclj.support.arithmetic.FloatEncoding;
import org.mscclj.support.arithmetic.PairedAverage;
import org.mscclj.support.memory.Memory;

/** The conversion around a plan for an average or a premultiplied sum; {@link Scaling} defines it. */
final class ScaledSum {
    private static final int PAIR_BYTES = 2 * Long.BYTES;

    private final Memory memory;
    private final LaunchSpec launch;
    private final Scaling scaling;
    private final SumForm form;
    private final DataType type;
    private final PairedAverage pairs;

    ScaledSum(Memory memory, LaunchSpec launch, Scaling scaling) {
        this.memory = memory;
        this.launch = launch;
        this.scaling = scaling;
        this.form = scaling.form();
        this.type = scaling.type();
        this.pairs = new PairedAverage((long) form.divisor(), type.family() == Family.UNSIGNED);
    }

    /** Turns the elements of this rank into addends. */
    void contribute() {
        long addends = launch.input().address();
        for (long i = 0; i < scaling.inputElements(); i++) {
            long element = EncodedElements.read(type, memory, scaling.input().address() + i * type.byteSize());
            if (form.addends() == 2) {
                EncodedElements.write(form.type(), memory, addends + i * PAIR_BYTES, pairs.quotient(element));
                EncodedElements.write(form.type(), memory, addends + i * PAIR_BYTES + Long.BYTES, element);
            } else {
                EncodedElements.write(form.type(), memory, addends + i * form.bytesOfElement(), addend(element));
            }
        }
    }

    private long addend(long element) {
        if (!type.isFloat()) {
            long value = EncodedElements.widen(type, element);
            return scaling.op().kind() == ReduceOp.Kind.PREMUL_SUM ? value * wholeFactor() : value;
        }
        if (type == DataType.FLOAT64) {
            return Double.doubleToLongBits(Double.longBitsToDouble(element) * factor());
        }
        return FloatEncoding.of(form.type()).encode(FloatEncoding.of(type).decode((int) element) * (float) factor());
    }

    private long wholeFactor() {
        return scaling.op()
                .memory()
                .map(buffer -> EncodedElements.widen(type, elementOf(buffer)))
                .orElseGet(() -> (long) scaling.factor());
    }

    private double factor() {
        return scaling.op().memory().map(buffer -> value(elementOf(buffer))).orElseGet(scaling::factor);
    }

    private long elementOf(DeviceBuffer factor) {
        return EncodedElements.read(type, memory, factor.address());
    }

    private double value(long element) {
        return type == DataType.FLOAT64
                ? Double.longBitsToDouble(element)
                : FloatEncoding.of(type).decode((int) element);
    }

    /** Turns the sums into the result, if this rank has one. */
    void finish() {
        if (!scaling.finishes(launch.output())) {
            return;
        }
        long sums = launch.output().address();
        for (long i = 0; i < scaling.outputElements(); i++) {
            long result;
            if (form.addends() == 2) {
                long quotients = EncodedElements.read(form.type(), memory, sums + i * PAIR_BYTES);
                result = pairs.average(
                        quotients, EncodedElements.read(form.type(), memory, sums + i * PAIR_BYTES + Long.BYTES));
            } else {
                result = result(EncodedElements.read(form.type(), memory, sums + i * form.bytesOfElement()));
            }
            EncodedElements.write(type, memory, scaling.output().address() + i * type.byteSize(), result);
        }
    }

    private long result(long sum) {
        if (!type.isFloat()) {
            return EncodedElements.widen(form.type(), sum) / (long) form.divisor();
        }
        if (type == DataType.FLOAT64) {
            return Double.doubleToLongBits(Double.longBitsToDouble(sum) / form.divisor());
        }
        float value = FloatEncoding.of(form.type()).decode((int) sum) / (float) form.divisor();
        return FloatEncoding.of(type).encode(value);
    }
}
