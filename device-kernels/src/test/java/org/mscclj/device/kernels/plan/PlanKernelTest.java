package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.device.kernels.source.DeviceLibrary;
import org.mscclj.device.kernels.source.Nvcc;
import org.mscclj.device.kernels.transfer.TransferKernel;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.spi.engine.SumForm;

class PlanKernelTest {
    @TempDir
    private Path folder;

    @Test
    void everyTypeIsMovedAndReduced() throws IOException, InterruptedException {
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
            for (ReduceOp.Kind op : List.of(ReduceOp.Kind.AVG, ReduceOp.Kind.PREMUL_SUM)) {
                for (boolean contributes : new boolean[] {true, false}) {
                    source.append("extern \"C\" __global__ void " + type.label() + op + contributes
                            + "(const ScaleArguments arguments) {\n    "
                            + ScaleKernel.call(type, SumForm.of(type, op, 3), contributes) + "\n}\n");
                }
            }
        }
        // nvcc warns of unused variables, and scaling kernels do not use the number of replays
        source.append("extern \"C\" __global__ void others(uint64* word) {\n    *word = kReplay;\n}\n");
        assertEquals("", Nvcc.compile(folder, DeviceLibrary.expand(source.toString())));
    }

    @Test
    void transferKernelsCompile() throws IOException, InterruptedException {
        assertEquals("", Nvcc.compile(folder, TransferKernel.of(64, false).source()));
        assertEquals("", Nvcc.compile(folder, TransferKernel.of(0, false).source()));
        assertEquals("", Nvcc.compile(folder, TransferKernel.of(0, true).source()));
    }

    /** The compiler takes half a minute, and longer on a busy machine. */
    @Test
    @Timeout(300)
    void fusedKernelsCompileForEveryTypeOperationAndFormat() throws IOException, InterruptedException {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 3);
        for (ShippedProgram program : List.of(ShippedProgram.PACKETS, ShippedProgram.PACKETS_TWO_SHOT)) {
            PlanCode code = PlanCode.of(program.plan(spec));
            for (DataType type : List.of(DataType.FLOAT16, DataType.INT8, DataType.FLOAT64, DataType.FLOAT8_E4M3)) {
                for (PacketType packets : PacketType.values()) {
                    assertEquals("", Nvcc.compile(folder, fused(code, type, ReduceOp.Kind.SUM, packets, 64)));
                }
            }
        }
        PlanCode code = PlanCode.of(ShippedProgram.PACKETS.plan(spec));
        for (ReduceOp.Kind op : List.of(ReduceOp.Kind.PRODUCT, ReduceOp.Kind.MIN, ReduceOp.Kind.BXOR)) {
            assertEquals("", Nvcc.compile(folder, fused(code, DataType.INT32, op, PacketType.LL16, 0)));
        }
    }

    /** Every block is called by its shape; a kernel with one shape has no switch. */
    @Test
    void fusedKernelsCallEachShape() {
        PlanCode one = PlanCode.of(ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 2)));
        assertEquals(1, one.fused().orElseThrow().bodies().size());
        String source = fused(one, DataType.INT32, ReduceOp.Kind.SUM, PacketType.LL16, 64);
        assertTrue(source.contains("if (!shape0(block)) return;\n    block.end();"), source);
        assertEquals(-1, source.indexOf("#include \""), "compilers at run time see no folders");

        PlanCode several = PlanCode.of(ShippedProgram.PACKETS.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 3).bounded(true)));
        int shapes = several.fused().orElseThrow().bodies().size();
        assertTrue(shapes > 1, "the last rank sends no packets to itself");
        String switching = fused(several, DataType.INT32, ReduceOp.Kind.SUM, PacketType.LL16, 64);
        for (int shape = 0; shape < shapes; shape++) {
            String call = "case " + shape + ": if (!shape" + shape + "(block)) return; break;";
            assertTrue(switching.contains(call), call);
        }
    }

    /** The place of a rank's own contribution is a word of the table, in both forms. */
    @ParameterizedTest
    @CsvSource({"3,1", "4,2", "9,1"})
    void ranksThatAddInTheOrderOfRanksHaveOneShape(int ranks, int blocks) {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, ranks).blocks(blocks);
        for (boolean inPlace : new boolean[] {false, true}) {
            PlanCode code = PlanCode.of(ShippedProgram.PACKETS.plan(spec.inPlace(inPlace)));
            assertEquals(1, code.shapeCount());
            assertEquals(1, code.fused().orElseThrow().bodies().size());
            for (int rank = 0; rank < ranks; rank++) {
                for (FusedBlock block : code.fused().orElseThrow().blocks(rank)) {
                    assertEquals(List.of(rank), block.places());
                }
            }
        }
    }

    @Test
    void equalFusedCodeIsOneKernel() {
        PlanCode sums = PlanCode.of(ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 3)));
        String int32 = fused(sums, DataType.INT32, ReduceOp.Kind.SUM, PacketType.LL16, 64);
        assertEquals(int32, fused(sums, DataType.UINT32, ReduceOp.Kind.AVG, PacketType.LL16, 64), "integers wrap");
        assertNotEquals(int32, fused(sums, DataType.FLOAT32, ReduceOp.Kind.SUM, PacketType.LL16, 64));
        assertNotEquals(int32, fused(sums, DataType.INT32, ReduceOp.Kind.SUM, PacketType.LL8, 64));
        assertNotEquals(int32, source(sums, DataType.INT32, ReduceOp.Kind.SUM, PacketType.LL16), "the general kernel");
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
    void kernelsWithoutTracingHaveNoCodeForIt() {
        ProgramSpec spec = new ProgramSpec(Collective.BROADCAST, 8, 8, 0, false, 2);
        String source = PlanKernel.of(
                        PlanCode.of(ShippedProgram.RELAY.plan(spec)),
                        DataType.UINT32,
                        ReduceOp.Kind.NOP,
                        PacketType.LL16,
                        0,
                        512)
                .source();
        assertFalse(source.contains("struct TraceEvent"));
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

    /** The tables hold the roles of ranks, so any rank may be the root with the same kernel. */
    @ParameterizedTest
    @CsvSource({
        "REDUCE,PACKETS",
        "REDUCE,DIRECT",
        "GATHER,PACKETS",
        "SCATTER,PORT",
        "BROADCAST,DIRECT",
        "BROADCAST,RELAY"
    })
    void rootsShareAKernel(Collective collective, ShippedProgram program) {
        ProgramSpec spec = ProgramSpec.of(collective, 5).blocks(2);
        Set<String> sources = IntStream.range(0, 5)
                .mapToObj(root -> PlanCode.of(program.plan(spec.root(root))))
                .map(code -> source(code, DataType.INT16, ReduceOp.Kind.MAX, PacketType.LL8))
                .collect(Collectors.toSet());
        assertEquals(1, sources.size());
    }

    @Test
    void everyBlockHasTheShapeOfItsSteps() {
        PlanCode code = PlanCode.of(ShippedProgram.RELAY.plan(
                ProgramSpec.of(Collective.BROADCAST, 4).root(2).blocks(3)));
        for (int rank = 0; rank < 4; rank++) {
            for (int block = 0; block < 3; block++) {
                String body = StepLines.of(code.steps(rank).get(block), TableOffset.START, "    ");
                assertEquals(body, code.bodies().get(code.shapes(rank).get(block)));
            }
        }
    }

    @Test
    void equalCodeIsOneKernel() {
        PlanCode sums = PlanCode.of(ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 3)));
        String int32 = source(sums, DataType.INT32, ReduceOp.Kind.SUM, PacketType.LL16);
        assertEquals(int32, source(sums, DataType.UINT32, ReduceOp.Kind.AVG, PacketType.LL16), "integers wrap");
        assertNotEquals(int32, source(sums, DataType.FLOAT32, ReduceOp.Kind.SUM, PacketType.LL16));
        assertNotEquals(int32, source(sums, DataType.INT64, ReduceOp.Kind.SUM, PacketType.LL16));
        assertNotEquals(int32, source(sums, DataType.INT32, ReduceOp.Kind.PRODUCT, PacketType.LL16));
        assertNotEquals(int32, source(sums, DataType.INT32, ReduceOp.Kind.SUM, PacketType.LL8));
        for (ReduceOp.Kind op : List.of(ReduceOp.Kind.MIN, ReduceOp.Kind.MAX)) {
            assertNotEquals(
                    source(sums, DataType.INT32, op, PacketType.LL16),
                    source(sums, DataType.UINT32, op, PacketType.LL16),
                    "unsigned means unsigned");
        }

        PlanCode copies = PlanCode.of(ShippedProgram.DIRECT.plan(ProgramSpec.of(Collective.ALLGATHER, 3)));
        String bytes = source(copies, DataType.UINT16, ReduceOp.Kind.NOP, PacketType.LL16);
        assertEquals(bytes, source(copies, DataType.BFLOAT16, ReduceOp.Kind.NOP, PacketType.LL8));
        assertNotEquals(bytes, source(copies, DataType.FLOAT32, ReduceOp.Kind.NOP, PacketType.LL16));
    }

    private static String fused(PlanCode code, DataType type, ReduceOp.Kind op, PacketType packets, int tableWords) {
        FusedCode fused = code.fused().orElseThrow();
        return PlanKernel.fused(code, fused, type, op, Optional.of(packets), tableWords, 512)
                .source();
    }

    private static String source(PlanCode code, DataType type, ReduceOp.Kind op, PacketType packets) {
        return PlanKernel.of(code, type, op, packets, 64, 512).source();
    }
}
