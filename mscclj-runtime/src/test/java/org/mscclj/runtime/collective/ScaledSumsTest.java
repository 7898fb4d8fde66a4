package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/**
 * Averages and premultiplied sums whose sum is out of the range of the type: by every program, of every type, in every
 * place.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScaledSumsTest {
    private static final int COUNT = 67;

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void averagesOfMoreWorldsAreTheNumber(int ranks) {
        averagesOfLargeNumbersAreTheNumber(ranks);
    }

    @Test
    void averagesOfThreeRanksAreTheNumber() {
        averagesOfLargeNumbersAreTheNumber(3);
    }

    private static void averagesOfLargeNumbersAreTheNumber(int ranks) {
        try (LocalGroup group = CollectivesTest.open(ranks)) {
            for (ShippedProgram program : ShippedProgram.values()) {
                for (Collective collective :
                        List.of(Collective.ALLREDUCE, Collective.REDUCESCATTER, Collective.REDUCE)) {
                    for (boolean inPlace : new boolean[] {false, true}) {
                        if (program.refusal(ProgramSpec.of(collective, ranks).inPlace(inPlace))
                                .isEmpty()) {
                            group.run(communicator -> averages(communicator, program.label(), collective, inPlace));
                        }
                    }
                }
            }
        }
    }

    private static void averages(Communicator communicator, String program, Collective collective, boolean inPlace) {
        for (DataType type : DataType.values()) {
            long bits = largeNumber(type);
            check(communicator, program, collective, inPlace, type, ReduceOp.AVG, bits, bits);
            if (!type.isFloat()) {
                long least = type.family() == DataType.Family.SIGNED ? bits + 1 : bits - 1;
                check(communicator, program, collective, inPlace, type, ReduceOp.AVG, least, least);
            } else {
                ReduceOp op = ReduceOp.premulSum(1.0 / communicator.size());
                long right = communicator.size() == 3 ? -1 : bits; // a third is rounded
                check(communicator, program, collective, inPlace, type, op, bits, right);
            }
        }
    }

    /** The largest integer; or the largest power of two. */
    private static long largeNumber(DataType type) {
        return switch (type) {
            case FLOAT8_E4M3 -> 0x78;
            case FLOAT8_E5M2 -> 0x78;
            case FLOAT16 -> 0x7800;
            case BFLOAT16 -> 0x7f00;
            case FLOAT32 -> 0x7f000000L;
            case FLOAT64 -> 0x7fe0000000000000L;
            default ->
                -1L >>> (Long.SIZE - Byte.SIZE * type.byteSize() + (type.family() == DataType.Family.SIGNED ? 1 : 0));
        };
    }

    /** All ranks contribute one number. */
    private static void check(
            Communicator communicator,
            String program,
            Collective collective,
            boolean inPlace,
            DataType type,
            ReduceOp op,
            long bits,
            long right) {
        int ranks = communicator.size();
        long slice = (long) COUNT * type.byteSize();
        long outputBytes = slice * collective.outputSlices(ranks);
        try (DeviceBuffer input = communicator.allocate(slice * collective.inputSlices(ranks));
                DeviceBuffer apart = communicator.allocate(outputBytes)) {
            boolean isPart = collective == Collective.REDUCESCATTER;
            DeviceBuffer output = !inPlace ? apart : input.slice(isPart ? communicator.rank() * slice : 0, outputBytes);
            fill(input, type, bits);
            CollectiveCall call = switch (collective) {
                case ALLREDUCE -> CollectiveCall.allReduce(input, output, type);
                case REDUCE -> CollectiveCall.reduce(input, output, type, 0);
                default -> CollectiveCall.reduceScatter(input, output, type);
            };
            communicator.execute(call.op(op).algorithm(program)).join();
            boolean hasResult = collective != Collective.REDUCE || communicator.rank() == 0;
            for (int i = 0; i < COUNT && hasResult && right != -1; i++) {
                assertEquals(
                        Long.toHexString(right & mask(type)),
                        Long.toHexString(get(output, type, i)),
                        program + ", " + collective + ", in place " + inPlace + ", " + op + " of " + type + " over "
                                + ranks + " ranks, element " + i);
            }
            communicator.barrier();
        }
    }

    private static long mask(DataType type) {
        return -1L >>> (Long.SIZE - Byte.SIZE * type.byteSize());
    }

    private static void fill(DeviceBuffer buffer, DataType type, long bits) {
        MemorySegment segment = buffer.segment();
        for (long at = 0; at < segment.byteSize(); at += type.byteSize()) {
            switch (type.byteSize()) {
                case 1 -> segment.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
                case 2 -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
                case 4 -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
                default -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
            }
        }
    }

    private static long get(DeviceBuffer buffer, DataType type, long index) {
        MemorySegment segment = buffer.segment();
        long at = index * type.byteSize();
        return mask(type)
                & switch (type.byteSize()) {
                    case 1 -> segment.get(ValueLayout.JAVA_BYTE, at);
                    case 2 -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
                    case 4 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, at);
                    default -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
                };
    }

    /** A rank's factor is its own affair: ranks that keep theirs do not notice that others change. */
    @ParameterizedTest
    @ValueSource(strings = {"packets", "scratch", "direct", "port", "packets_two_shot", "ring"})
    void factorsDifferByRankAndCall(String program) {
        int ranks = 3;
        try (LocalGroup group = CollectivesTest.open(ranks)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                try (DeviceBuffer input = communicator.allocate(COUNT * Integer.BYTES);
                        DeviceBuffer output = communicator.allocate(COUNT * Integer.BYTES)) {
                    fill(input, DataType.INT32, 1);
                    CollectiveCall call = CollectiveCall.allReduce(input, output, DataType.INT32)
                            .algorithm(program);
                    for (int launch = 1; launch <= 4; launch++) {
                        int own = rank == 0 ? 10 * launch : rank;
                        communicator.execute(call.op(ReduceOp.premulSum(own))).join();
                        assertEquals(10 * launch + 1 + 2, get(output, DataType.INT32, COUNT - 1), program);
                        communicator.barrier();
                    }
                    try (PreparedOperation operation = communicator.prepare(call.op(ReduceOp.premulSum(rank + 1)))) {
                        operation.run(CollectivesTest.LIMIT);
                        assertEquals(1 + 2 + 3, get(output, DataType.INT32, 0), program);
                        communicator.barrier();
                    }
                }
            });
        }
    }
}
