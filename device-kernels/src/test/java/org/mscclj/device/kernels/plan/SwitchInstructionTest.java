package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.device.kernels.source.DeviceLibrary;
import org.mscclj.device.kernels.source.Nvcc;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/** The reductions by a switch, and the kernels that use them. nvcc compiles all instructions. */
class SwitchInstructionTest {
    static final List<ReduceOp.Kind> OPERATIONS = List.of(
            ReduceOp.Kind.SUM,
            ReduceOp.Kind.PRODUCT,
            ReduceOp.Kind.MIN,
            ReduceOp.Kind.MAX,
            ReduceOp.Kind.BAND,
            ReduceOp.Kind.BOR,
            ReduceOp.Kind.BXOR);

    @TempDir
    private Path folder;

    /** A kernel for each instruction of the table, which exists where the architecture has it, and nowhere else. */
    private static String everyInstruction(int architecture) {
        StringBuilder source = new StringBuilder("#include \"mscclj/reduce.cuh\"\nusing namespace mscclj;\n");
        Set<String> written = new TreeSet<>();
        for (DataType type : DataType.values()) {
            for (ReduceOp.Kind op : OPERATIONS) {
                SwitchInstruction.instruction(type, op).ifPresent(reduction -> {
                    String name = type + "_" + op;
                    boolean exists = reduction.architecture() <= architecture;
                    source.append(reduction.definition(name, PlanKernel.element(type) + ", Sum"))
                            .append("\nstatic_assert(" + name + "::kExists == " + exists + ", \"" + name + "\");\n");
                    if (exists && written.add(reduction.instruction())) {
                        source.append("extern \"C\" __global__ void of" + name + "(uint64 address) {\n")
                                .append("    multicastStore(address, " + name
                                        + "::loadIf(threadIdx.x < 3, address));\n")
                                .append("    fenceAliases();\n}\n");
                        reduction
                                .update("Update" + name, PlanKernel.element(type) + ", Sum")
                                .ifPresent(update -> source.append(update)
                                        .append("\nextern \"C\" __global__ void update" + name + "(uint64 address) {\n")
                                        .append("    Update" + name + "::apply(address, Update" + name
                                                + "::Unit{});\n}\n"));
                    }
                });
            }
        }
        return DeviceLibrary.expand(source.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm_80", "sm_90", "sm_100", "sm_100a", "sm_100f", "sm_103f"})
    void everyInstructionIsCompiled(String architecture) throws IOException, InterruptedException {
        boolean special = !Character.isDigit(architecture.charAt(architecture.length() - 1));
        int has = special ? 1000 : architecture.equals("sm_80") ? 0 : 900;
        assertEquals("", Nvcc.compile(folder, everyInstruction(has), architecture));
    }

    /** Sums of what is computed most, integers of 32 and 64 bits, and bits of any integers. */
    @Test
    void theTableIsComplete() {
        List<String> exact = new ArrayList<>();
        List<String> inexact = new ArrayList<>();
        for (ReduceOp.Kind op : OPERATIONS) {
            for (DataType type : DataType.values()) {
                Optional<SwitchInstruction> used = SwitchInstruction.of(type, op);
                (used.isPresent() ? exact : inexact).add(type.label() + " " + op);
                assertTrue(op != ReduceOp.Kind.PRODUCT || used.isEmpty());
            }
        }
        assertEquals(
                List.of(
                        "int32 SUM",
                        "uint32 SUM",
                        "int64 SUM",
                        "uint64 SUM",
                        "float16 SUM",
                        "bfloat16 SUM",
                        "float32 SUM",
                        "float64 SUM",
                        "float8_e4m3 SUM",
                        "float8_e5m2 SUM"),
                exact.stream().filter(one -> one.endsWith("SUM")).toList());
        assertEquals(
                List.of("int32 MIN", "uint32 MIN", "int64 MIN", "uint64 MIN"),
                exact.stream().filter(one -> one.endsWith("MIN")).toList());
        assertEquals(8, exact.stream().filter(one -> one.endsWith("BXOR")).count());
        assertTrue(SwitchInstruction.instruction(DataType.FLOAT16, ReduceOp.Kind.MIN)
                .isPresent());
        assertTrue(inexact.contains("float16 MIN"), "where NaN may be lost");
    }

    /** The reason why a switch does not reduce names the type, the operation or the architecture. */
    @Test
    void obstaclesSayWhatIsMissing() {
        PlanCode code = PlanCode.of(ShippedProgram.MULTICAST.plan(ProgramSpec.of(Collective.ALLREDUCE, 3)));
        assertEquals("", obstacle(code, DataType.FLOAT16, ReduceOp.Kind.AVG, "sm_90"), "which is a sum");
        assertEquals(
                "switches have no PRODUCT of int32", obstacle(code, DataType.INT32, ReduceOp.Kind.PRODUCT, "sm_90"));
        assertEquals(
                "switches may lose NaN in MIN of bfloat16",
                obstacle(code, DataType.BFLOAT16, ReduceOp.Kind.MIN, "sm_100"));
        assertEquals(
                "switches have SUM of float8_e4m3 from sm_100 on, not on sm_90",
                obstacle(code, DataType.FLOAT8_E4M3, ReduceOp.Kind.SUM, "sm_90"));
        assertEquals("", obstacle(code, DataType.FLOAT8_E4M3, ReduceOp.Kind.SUM, "sm_103"));
        PlanCode gathers = PlanCode.of(ShippedProgram.DIRECT.plan(ProgramSpec.of(Collective.ALLGATHER, 3)));
        assertEquals("", obstacle(gathers, DataType.INT8, ReduceOp.Kind.NOP, "sm_90"), "nothing is reduced");

        assertEquals("sm_103a", architecture(code, DataType.FLOAT8_E5M2, "sm_103"));
        assertEquals("sm_90", architecture(code, DataType.FLOAT8_E5M2, "sm_90"));
        assertEquals("sm_100", architecture(code, DataType.FLOAT16, "sm_100"));
        assertEquals("gfx942", architecture(code, DataType.FLOAT8_E5M2, "gfx942"));
    }

    private static String obstacle(PlanCode code, DataType type, ReduceOp.Kind op, String architecture) {
        return PlanKernel.switchObstacle(code, type, op, architecture).orElse("");
    }

    private static String architecture(PlanCode code, DataType type, String gpu) {
        return PlanKernel.switchArchitecture(code, type, ReduceOp.Kind.SUM, gpu);
    }

    /** Launches without an instruction differ in nothing but the type that reduces. */
    @Test
    void kernelsNameTheInstructionOrNone() {
        PlanCode code = PlanCode.of(ShippedProgram.MULTICAST.plan(ProgramSpec.of(Collective.ALLREDUCE, 3)));
        String sum = source(code, DataType.FLOAT16, ReduceOp.Kind.SUM);
        assertTrue(
                sum.contains("MSCCLJ_SWITCH_REDUCTION(PlanSwitch, 900, Words4, \"add.acc::f32.v4.f16x2\","
                        + " Float16Element, Sum)\n"),
                sum);
        assertTrue(sum.contains("moveBySwitch<PlanSwitch, true, 3, 3, "), sum);
        String product = source(code, DataType.FLOAT16, ReduceOp.Kind.PRODUCT);
        assertTrue(product.contains("using PlanSwitch = NoSwitchReduction;\n"), product);
        String plain = source(
                PlanCode.of(ShippedProgram.DIRECT.plan(ProgramSpec.of(Collective.ALLREDUCE, 3))),
                DataType.FLOAT16,
                ReduceOp.Kind.SUM);
        assertEquals(-1, plain.indexOf("moveBySwitch"), "plans without switch channels have nothing of it");
    }

    private static String source(PlanCode code, DataType type, ReduceOp.Kind op) {
        return PlanKernel.of(code, type, op, PacketType.LL16, 64, 512).source();
    }
}
