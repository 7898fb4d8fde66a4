package org.mscclj.support.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.Scaling;
import org.mscclj.spi.engine.SumForm;
import org.mscclj.support.ffm.ProcessMemory;
import org.mscclj.support.memory.Memory;

/** One element of each rank becomes addends, these are summed up, and the sums become the result. */
class ScaledSumTest {
    private final ArenaDevice device = new ArenaDevice();
    private final Memory memory = new ProcessMemory();

    @ParameterizedTest
    @CsvSource({
        "INT32, 'fffffffe ffffffff ffffffff', ffffffff", // -4/3, toward zero
        "INT32, '7fffffff 7fffffff 7fffffff', 7fffffff", // no sum wraps
        "INT8, '80 80 80', 80",
        "UINT8, 'ff ff fe', fe",
        "INT64, '7fffffffffffffff 7fffffffffffffff 7ffffffffffffffc', 7ffffffffffffffe",
        "INT64, 'ffffffffffffffff ffffffffffffffff 0', 0", // -2/3, toward zero
        "UINT64, 'ffffffffffffffff ffffffffffffffff ffffffffffffffff', ffffffffffffffff",
        "FLOAT16, '7bff 7bff 7bff', 7bff", // no sum overflows
        "FLOAT64, '7fefffffffffffff 7fefffffffffffff 7fefffffffffffff 7fefffffffffffff', 7fefffffffffffff"
    })
    void averages(DataType type, String elements, String result) {
        assertEquals(result, result(type, elements, ReduceOp.AVG));
    }

    @ParameterizedTest
    @CsvSource({
        "INT32, '7fffffff 1', -2, 0", // -2^32 wraps
        "UINT8, 'ff 1', 3, 0",
        "FLOAT32, '3f800000 40000000', 0.5, 3fc00000",
        "BFLOAT16, '3f80 3b80', 1, 3f80" // summed up in float32, and rounded once
    })
    void premultipliedSums(DataType type, String elements, double factor, String result) {
        assertEquals(result, result(type, elements, ReduceOp.premulSum(factor)));
    }

    @ParameterizedTest
    @CsvSource({
        "INT64, '7fffffffffffffff 1', 3, 8000000000000000",
        "FLOAT64, '3ff0000000000000', 4000000000000000, 4000000000000000"
    })
    void aFactorMayBeInMemory(DataType type, String elements, String factor, String result) {
        DeviceBuffer buffer = device.allocate(type.byteSize());
        EncodedElements.write(type, memory, buffer.address(), Long.parseUnsignedLong(factor, 16));
        assertEquals(result, result(type, elements, ReduceOp.premulSum(buffer)));
    }

    private String result(DataType type, String elements, ReduceOp op) {
        long[] encodings = Arrays.stream(elements.split(" "))
                .mapToLong(text -> Long.parseUnsignedLong(text, 16))
                .toArray();
        SumForm form = SumForm.of(type, op.kind(), encodings.length);
        DeviceBuffer sums = device.allocate(form.bytesOfElement());
        DeviceBuffer output = device.allocate(type.byteSize());
        List<DeviceBuffer> addends = new ArrayList<>();
        for (long encoding : encodings) {
            DeviceBuffer input = device.allocate(type.byteSize());
            EncodedElements.write(type, memory, input.address(), encoding);
            addends.add(device.allocate(form.bytesOfElement()));
            scaled(form, type, op, input, output, addends.getLast(), sums).contribute();
        }
        for (long offset = 0; offset < sums.byteSize(); offset += form.type().byteSize()) {
            long at = offset;
            long[] operands = addends.stream()
                    .mapToLong(buffer -> EncodedElements.read(form.type(), memory, buffer.address() + at))
                    .toArray();
            long sum = EncodedReduction.of(form.type(), ReduceOp.Kind.SUM).reduce(operands);
            EncodedElements.write(form.type(), memory, sums.address() + at, sum);
        }
        scaled(form, type, op, output, output, addends.getFirst(), sums).finish();
        return Long.toHexString(EncodedElements.read(type, memory, output.address()));
    }

    private ScaledSum scaled(
            SumForm form,
            DataType type,
            ReduceOp op,
            DeviceBuffer input,
            DeviceBuffer output,
            DeviceBuffer addends,
            DeviceBuffer sums) {
        Scaling scaling = new Scaling(form, input, output, type, op, true);
        LaunchSpec launch = new LaunchSpec(
                addends,
                sums,
                form.type(),
                ReduceOp.SUM,
                Optional.of(scaling),
                PacketType.LL8,
                new LaunchGeometry(type.byteSize(), 1, 16, 0),
                List.of(),
                List.of(),
                List.of());
        return new ScaledSum(memory, launch, scaling);
    }
}
