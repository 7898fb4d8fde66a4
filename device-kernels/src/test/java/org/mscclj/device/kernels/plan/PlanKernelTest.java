package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.device.kernels.source.DeviceLibrary;
import org.mscclj.device.kernels.source.Nvcc;
import org.mscclj.plan.Plan;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;

class PlanKernelTest {
    @TempDir
    private Path folder;

    @Test
    void everyTypeIsMovedAndCombined() throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder("#include \"mscclj/plan.cuh\"\nusing namespace mscclj;\n");
        for (DataType type : DataType.values()) {
            source.append("extern \"C\" __global__ void " + type.label() + "Kernel(const LaunchHeader header) {\n");
            source.append("    Block<" + PlanKernel.element(type)
                    + ", Sum, PacketType::LL16> block(header, header.table);\n");
            source.append("    if (!block.begin()) return;\n");
            source.append("    move<1, 1, 0x0>(block, 0);\n    move<2, 1, 0x0>(block, 1);\n");
            source.append("    movePackets<true, 1, true, 1, 0x2>(block, 2);\n}\n");
        }
        assertEquals("", Nvcc.compile(folder, DeviceLibrary.expand(source.toString())));
    }

    @Test
    void everyTypeIsScaled() throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder("#include \"mscclj/scale.cuh\"\nusing namespace mscclj;\n");
        for (DataType type : DataType.values()) {
            source.append("extern \"C\" __global__ void " + type.label() + "Scale(const ScaleArguments arguments) {\n");
            source.append("    scale<" + PlanKernel.element(type) + ">(arguments);\n}\n");
        }
        // nvcc warns of what nobody uses, and kernels that scale are not told of replays
        source.append("extern \"C\" __global__ void others(uint64* word) {\n    *word = kReplay;\n}\n");
        assertEquals("", Nvcc.compile(folder, DeviceLibrary.expand(source.toString())));
    }

    @Test
    void messagesHaveOneKernel() throws IOException, InterruptedException {
        assertEquals("", Nvcc.compile(folder, TransferKernel.of(64).source()));
        assertEquals("", Nvcc.compile(folder, TransferKernel.of(0).source()));
    }

    @Test
    void everyOperationCanBeTraced() throws IOException, InterruptedException {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        ToIntFunction<String> number = name -> {
            numbers.putIfAbsent(name, numbers.size());
            return numbers.getOrDefault(name, -1);
        };
        StringBuilder failures = new StringBuilder();
        for (ShippedProgram program :
                List.of(ShippedProgram.PACKETS_TWO_SHOT, ShippedProgram.RING, ShippedProgram.PORT)) {
            Plan plan = program.plan(new ProgramSpec(Collective.ALLREDUCE, 4, 4, 0, false, 2));
            PlanCode code = PlanCode.of(plan, Optional.of(number));
            assertEquals(PlanCode.of(plan).shapeCount(), code.shapeCount(), "what is traced has as many shapes");
            String source = PlanKernel.of(code, DataType.FLOAT16, ReduceOp.Kind.SUM, PacketType.LL16, 448, 512)
                    .source();
            failures.append(Nvcc.compile(folder, source));
        }
        assertEquals("", failures.toString());
        assertTrue(numbers.size() > 3, () -> "named " + numbers.keySet());
    }

    @Test
    void whatIsNotTracedHasNoCodeForIt() {
        ProgramSpec spec = new ProgramSpec(Collective.BROADCAST, 8, 8, 0, false, 2);
        String source = PlanKernel.of(
                        PlanCode.of(ShippedProgram.RELAY.plan(spec)),
                        DataType.UINT32,
                        ReduceOp.Kind.NOP,
                        PacketType.LL16,
                        0,
                        512)
                .source();
        assertFalse(source.contains("globaltimer"));
    }

    @Test
    void repeatedOperationsAreLoops() throws IOException, InterruptedException {
        ProgramSpec spec = new ProgramSpec(Collective.BROADCAST, 8, 8, 0, false, 2);
        PlanCode code = PlanCode.of(ShippedProgram.RELAY.plan(spec));
        String source = PlanKernel.of(code, DataType.UINT32, ReduceOp.Kind.NOP, PacketType.LL16, 0, 512)
                .source();
        String shapes = source.substring(source.indexOf("void shape0"));
        assertEquals(4, shapes.split(" move<", -1).length - 1, () -> "moves of root and others in " + shapes);
        assertEquals("", Nvcc.compile(folder, source));
    }
}
