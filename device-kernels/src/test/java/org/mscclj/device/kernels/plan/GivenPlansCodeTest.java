package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/** Every plan of MSCCL++'s DSL becomes a kernel with few shapes. */
class GivenPlansCodeTest {
    private static final int MAX_SHAPES = 8;

    private static final Set<String> UNREADABLE =
            Set.of("ut_switch_reduce_test.json", "committed_allreduce_pipeline.json");

    @TestFactory
    Stream<DynamicTest> everyGivenPlan() throws IOException {
        String folder = System.getProperty("mscclj.plans", "");
        assumeFalse(folder.isBlank(), "no folder of plans is given: -Dmscclj.plans=/folder");
        List<Path> files;
        try (Stream<Path> all = Files.list(Path.of(folder))) {
            files = all.filter(file -> file.toString().endsWith(".json"))
                    .filter(file -> !UNREADABLE.contains(file.getFileName().toString()))
                    .sorted()
                    .toList();
        }
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> translate(file)));
    }

    private static void translate(Path file) throws IOException {
        Plan plan = PlanReader.read(file);
        PlanCode code = PlanCode.of(plan);
        assertTrue(code.shapeCount() <= MAX_SHAPES, code.shapeCount() + " shapes");
        if (plan.collective() != Collective.TEST) {
            assertEquals(plan.collective().reduces(), code.combines());
        }
        PlanKernel kernel =
                PlanKernel.of(code, DataType.FLOAT16, ReduceOp.Kind.SUM, PacketType.LL16, 448, plan.threadsPerBlock());
        assertEquals(-1, kernel.source().indexOf("#include \""), "compilers at run time see no folders");
    }
}
