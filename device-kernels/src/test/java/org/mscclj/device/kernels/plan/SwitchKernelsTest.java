package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.device.kernels.source.Nvcc;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/**
 * The kernels of the shipped programs that use switch channels: nvcc compiles them for architectures with and without
 * multimem instructions, all kernels of a test at once.
 */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SwitchKernelsTest {
    private static final List<ShippedProgram> PROGRAMS = List.of(
            ShippedProgram.MULTICAST,
            ShippedProgram.MULTICAST_DIRECT,
            ShippedProgram.MULTICAST_PACKETS,
            ShippedProgram.MULTICAST_PIPELINE);

    /** Where the own part of a kernel begins, behind the device library. */
    private static final Pattern OWN = Pattern.compile("^using (PlanBlock|Fused) = ", Pattern.MULTILINE);

    @TempDir
    private Path folder;

    /**
     * Sources with a kernel of each program for each type and operation that are wanted, and for each packet format if
     * the program has packets; also with fused blocks, if they can be fused. Kernels of one library are in one source.
     */
    private static List<String> kernels(BiPredicate<DataType, ReduceOp.Kind> wanted) {
        Set<String> sources = new LinkedHashSet<>();
        for (ShippedProgram program : PROGRAMS) {
            PlanCode code = code(program);
            assertTrue(code.usesSwitches(), program::name);
            for (ReduceOp.Kind op : SwitchInstructionTest.OPERATIONS) {
                for (DataType type : DataType.values()) {
                    if (isReduced(type, op) && wanted.test(type, op)) {
                        sources.addAll(kernels(code, type, op));
                    }
                }
            }
        }
        return together(sources);
    }

    private static PlanCode code(ShippedProgram program) {
        return PlanCode.of(program.plan(ProgramSpec.of(Collective.ALLREDUCE, 3)));
    }

    private static List<String> kernels(PlanCode code, DataType type, ReduceOp.Kind op) {
        List<PlanKernel> kernels = new ArrayList<>();
        for (PacketType packets : PacketType.values()) {
            kernels.add(PlanKernel.of(code, type, op, packets, 64, 512));
            code.fused()
                    .ifPresent(fused ->
                            kernels.add(PlanKernel.fused(code, fused, type, op, Optional.of(packets), 64, 512)));
        }
        code.fused()
                .ifPresent(fused -> kernels.add(PlanKernel.fused(code, fused, type, op, Optional.empty(), 64, 512)));
        return kernels.stream().map(PlanKernel::source).toList();
    }

    private static List<String> together(Set<String> sources) {
        Map<String, StringBuilder> byLibrary = new LinkedHashMap<>();
        int kernel = 0;
        for (String source : sources) {
            Matcher own = OWN.matcher(source);
            assertTrue(own.find(), source);
            byLibrary
                    .computeIfAbsent(source.substring(0, own.start()), StringBuilder::new)
                    .append("namespace kernel" + kernel + " {\n")
                    .append(source.substring(own.start()).replace(PlanKernel.RUN, PlanKernel.RUN + kernel))
                    .append("}\n");
            kernel++;
        }
        return byLibrary.values().stream().map(StringBuilder::toString).toList();
    }

    private static boolean isReduced(DataType type, ReduceOp.Kind op) {
        return !type.isFloat()
                || !Set.of(ReduceOp.Kind.BAND, ReduceOp.Kind.BOR, ReduceOp.Kind.BXOR)
                        .contains(op);
    }

    @Test
    void kernelsOfSumsAreCompiled() throws IOException, InterruptedException {
        compile(kernels((type, op) -> type == DataType.FLOAT16 && op == ReduceOp.Kind.SUM), "sm_90");
    }

    /** Of another unit, and of what no switch reduces. */
    @Tag("deep")
    @Test
    void kernelsOfOtherReductionsAreCompiled() throws IOException, InterruptedException {
        compile(
                kernels((type, op) ->
                        type == DataType.INT32 && (op == ReduceOp.Kind.MIN || op == ReduceOp.Kind.PRODUCT)),
                "sm_100");
    }

    /** Of each unit that a switch reduces, of what only some architectures have, and of what no switch reduces. */
    @EnabledIfSystemProperty(named = "mscclj.full", matches = "true", disabledReason = "takes minutes")
    @ParameterizedTest
    @ValueSource(strings = {"sm_80", "sm_90", "sm_100", "sm_100a"})
    void kernelsOfEachUnitAreCompiled(String architecture) throws IOException, InterruptedException {
        Set<String> some =
                Set.of("FLOAT16 SUM", "INT32 MIN", "FLOAT64 SUM", "UINT8 BXOR", "FLOAT8_E4M3 SUM", "INT32 PRODUCT");
        compile(kernels((type, op) -> some.contains(type.name() + " " + op)), architecture);
    }

    /** Every type and operation. */
    @EnabledIfSystemProperty(named = "mscclj.full", matches = "true", disabledReason = "takes minutes")
    @ParameterizedTest
    @ValueSource(strings = {"sm_90", "sm_100", "sm_100a"})
    void allKernelsAreCompiled(String architecture) throws IOException, InterruptedException {
        compile(kernels((_, _) -> true), architecture);
    }

    private void compile(List<String> sources, String architecture) throws IOException, InterruptedException {
        assertEquals(3, sources.size(), "libraries: general, of fused packets, and of fused lines");
        for (String source : sources) {
            assertEquals("", Nvcc.compile(folder, source, architecture));
        }
    }

    /** What is compiled has each instruction that plans use. */
    @Test
    void kernelsHaveEachInstruction() {
        PlanCode code = code(ShippedProgram.MULTICAST);
        Set<String> instructions = new TreeSet<>();
        for (ReduceOp.Kind op : SwitchInstructionTest.OPERATIONS) {
            for (DataType type : DataType.values()) {
                Optional<String> used = SwitchInstruction.of(type, op).map(SwitchInstruction::instruction);
                if (used.isPresent() && isReduced(type, op)) {
                    String source = PlanKernel.of(code, type, op, PacketType.LL16, 64, 512)
                            .source();
                    // signs matter in comparisons only, so that sums of signed integers are those of unsigned ones
                    assertTrue(source.contains(", \"" + used.get() + "\", "), () -> type + " " + op);
                    instructions.add(used.get());
                }
            }
        }
        assertTrue(instructions.size() > 15, instructions::toString);
    }

    /** A table that lies elsewhere, and a rank that loads its operands from there. */
    @ParameterizedTest
    @ValueSource(strings = {"sm_90", "sm_100"})
    void kernelsWithoutATableOfTheirOwnAreCompiled(String architecture) throws IOException, InterruptedException {
        PlanCode code = PlanCode.of(ShippedProgram.MULTICAST_PIPELINE.plan(ProgramSpec.of(Collective.ALLREDUCE, 8)));
        String source = PlanKernel.of(code, DataType.BFLOAT16, ReduceOp.Kind.AVG, PacketType.LL16, 0, 512)
                .source();
        assertEquals("", Nvcc.compile(folder, source, architecture));
    }

    /** The blocks of this program alone are fused, where no channel has a multicast address. */
    @Test
    void programsWithPacketsAreFused() {
        assertEquals(
                List.of(ShippedProgram.MULTICAST_PACKETS),
                PROGRAMS.stream()
                        .filter(program -> code(program).fused().isPresent())
                        .toList());
    }
}
