package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.language.program.ShippedProgram;

/**
 * After an allreduce of values whose sum depends on the order, all ranks hold the same bits, and the same call gives
 * them again.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EqualBitsTest {
    private static final int COUNT = 4_099;

    static Stream<Arguments> algorithmsAndWorlds() {
        return Stream.of(ShippedProgram.values())
                .filter(program -> program.collectives().contains(Collective.ALLREDUCE))
                .flatMap(program -> Stream.of(2, 3, 5).map(ranks -> Arguments.of(program.label(), ranks)));
    }

    @ParameterizedTest
    @MethodSource("algorithmsAndWorlds")
    void allRanksHoldTheSame(String algorithm, int ranks) {
        int ranksPerNode = algorithm.equals(ShippedProgram.TWO_LEVEL.label()) ? 1 : ranks;
        try (LocalGroup group = LocalGroup.open(
                LocalGroupOptions.ranks(ranks).ranksPerNode(ranksPerNode).timeout(Duration.ofSeconds(30)))) {
            for (DataType type :
                    Stream.of(DataType.values()).filter(DataType::isFloat).toList()) {
                byte[][] first = new byte[ranks][];
                byte[][] second = new byte[ranks][];
                group.run(communicator -> {
                    int bytes = COUNT * type.byteSize();
                    DeviceBuffer memory = communicator.allocate(2L * bytes);
                    DeviceBuffer input = memory.slice(0, bytes);
                    DeviceBuffer output = memory.slice(bytes, bytes);
                    fill(input.segment(), type, new Random(communicator.rank()));
                    try (PreparedOperation operation = communicator.prepare(
                            CollectiveCall.allReduce(input, output, type).algorithm(algorithm))) {
                        operation.run(Duration.ofSeconds(30));
                        first[communicator.rank()] = output.segment().toArray(ValueLayout.JAVA_BYTE);
                        output.segment().fill((byte) 0);
                        communicator.barrier(); // or a peer's result could be erased
                        operation.run(Duration.ofSeconds(30));
                        second[communicator.rank()] = output.segment().toArray(ValueLayout.JAVA_BYTE);
                    }
                    memory.close();
                });
                for (int rank = 0; rank < ranks; rank++) {
                    String what = algorithm + ", " + type + ", rank " + rank;
                    assertArrayEquals(first[0], first[rank], what);
                    assertArrayEquals(first[rank], second[rank], what + ", again");
                }
            }
        }
    }

    /** Numbers of very different magnitude, without NaN. */
    private static void fill(MemorySegment memory, DataType type, Random random) {
        for (long i = 0; i < COUNT; i++) {
            double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(8) - 4);
            switch (type) {
                case FLOAT64 -> memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, i * 8, value);
                case FLOAT32 -> memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * 4, (float) value);
                case FLOAT16 ->
                    memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, i * 2, Float.floatToFloat16((float) value));
                case BFLOAT16 ->
                    memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, i * 2, (short)
                            (Float.floatToIntBits((float) value) >>> 16));
                default -> memory.set(ValueLayout.JAVA_BYTE, i, (byte) (random.nextInt(0x40) | random.nextInt(2) << 7));
            }
        }
    }
}
