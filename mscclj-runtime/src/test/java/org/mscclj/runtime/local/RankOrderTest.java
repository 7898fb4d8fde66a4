package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/**
 * Ranks that add their own contributions at the places of their ranks have equal bits: those of ranks that send packets
 * to themselves.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RankOrderTest {
    private static final int COUNT = 1021;

    @ParameterizedTest
    @CsvSource({"3,true", "4,false", "5,true"})
    void everyRankAddsInTheOrderOfRanks(int ranks, boolean inPlace) {
        ProgramSpec spec =
                ProgramSpec.of(Collective.ALLREDUCE, ranks).inPlace(inPlace).blocks(2);
        Plan placed = ShippedProgram.PACKETS.plan(spec);
        Plan plainLast = ShippedProgram.PACKETS.plan(spec.bounded(true));
        for (DataType type : DataType.values()) {
            if (!type.isFloat()) {
                continue;
            }
            for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.PRODUCT)) {
                List<byte[]> outputs = outputs(placed, type, op);
                outputs.addAll(outputs(plainLast, type, op));
                outputs.forEach(output -> assertArrayEquals(outputs.getFirst(), output, () -> type + " " + op));
            }
        }
        float[] sums = new float[COUNT];
        for (int rank = 0; rank < ranks; rank++) {
            Random random = new Random(rank);
            for (int i = 0; i < COUNT; i++) {
                sums[i] += value(random);
            }
        }
        MemorySegment output = MemorySegment.ofArray(
                outputs(placed, DataType.FLOAT32, ReduceOp.SUM).getFirst());
        for (int i = 0; i < COUNT; i++) {
            assertEquals(sums[i], output.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i), "element " + i);
        }
    }

    private static float value(Random random) {
        return 0.5f + random.nextFloat();
    }

    /** The bytes of all outputs. */
    private static List<byte[]> outputs(Plan plan, DataType type, ReduceOp op) {
        List<byte[]> outputs = new ArrayList<>(Collections.nCopies(plan.worldSize(), new byte[0]));
        try (LocalGroup group = IntegerRanks.open(plan.worldSize(), ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                long bytes = (long) COUNT * type.byteSize();
                DeviceBuffer input = communicator.allocate(bytes);
                DeviceBuffer output = plan.inPlace() ? input : communicator.allocate(bytes);
                Random random = new Random(communicator.rank());
                for (int i = 0; i < COUNT; i++) {
                    set(input.segment(), type, i, value(random));
                }
                try (PreparedOperation operation = communicator.prepare(
                        PlanCall.of(plan, input, output, type).op(op))) {
                    operation.run(IntegerRanks.LIMIT);
                }
                byte[] result = output.segment().toArray(ValueLayout.JAVA_BYTE);
                synchronized (outputs) {
                    outputs.set(communicator.rank(), result);
                }
            });
        }
        return outputs;
    }

    private static void set(MemorySegment memory, DataType type, int i, float value) {
        long bits = type.encode(value);
        for (int k = 0; k < type.byteSize(); k++) {
            memory.set(ValueLayout.JAVA_BYTE, (long) i * type.byteSize() + k, (byte) (bits >>> Byte.SIZE * k));
        }
    }
}
