package org.mscclj.cli.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SelftestPartsTest {
    private static SelftestPlan plan(PartKind kind, List<Integer> ranks, List<Integer> worlds) {
        return plan("host", kind, ranks, worlds);
    }

    private static SelftestPlan plan(String backend, PartKind kind, List<Integer> ranks, List<Integer> worlds) {
        return new SelftestPlan(
                EnumSet.of(kind),
                Optional.of(backend),
                ranks,
                worlds,
                List.of(RankKind.values()),
                List.of(),
                List.of(),
                Optional.empty(),
                0,
                false,
                Path.of("out"));
    }

    private static String command(SelftestPart part) {
        return String.join(" ", part.arguments());
    }

    @Test
    void rulesHaveWorldsOfTheirOwn() {
        List<SelftestPart> parts = SelftestParts.of(plan(PartKind.CONFORMANCE, List.of(2), List.of(4, 8)));
        assertEquals(2, parts.size());
        parts.forEach(part -> assertTrue(command(part).contains(" --world 4,8 "), part::toString));
        SelftestPart usual = SelftestParts.of(plan(PartKind.CONFORMANCE, List.of(2), List.of()))
                .getFirst();
        assertFalse(command(usual).contains("--world"), usual::toString);
    }

    /** Only processes can be killed; a single rank has no peer. */
    @Test
    void faultsNeedProcesses() {
        List<SelftestPart> parts = SelftestParts.of(plan(PartKind.STRESS, List.of(1, 4), List.of()));
        assertEquals(
                List.of("stress-4-threads", "stress-4-processes"),
                parts.stream().map(SelftestPart::fileName).toList());
        assertTrue(command(parts.getFirst()).startsWith("stress --ranks 4 --scenario overlap,"), parts::toString);
        assertTrue(command(parts.getLast()).startsWith("stress --ranks 4 --scenario kills,"), parts::toString);
        parts.forEach(part -> {
            assertTrue(part.arguments().containsAll(List.of("--limit", "2s", "--backend", "host")), part::toString);
            assertEquals(OptionalInt.of(4), part.ranks());
        });
    }

    /** Threads share the queues of their GPU, processes the memory for queues. */
    @Test
    void processesThatShareTheOnlyGpuHaveFewerQueues() {
        SelftestPlan plan = plan("cuda", PartKind.STRESS, List.of(4), List.of());
        Map<String, String> few = Map.of("CUDA_DEVICE_MAX_CONNECTIONS", "8");
        assertEquals(few, plan.withGpus(1).environment(RankKind.PROCESSES));
        assertEquals(Map.of(), plan.withGpus(1).environment(RankKind.THREADS));
        assertEquals(Map.of(), plan.withGpus(2).environment(RankKind.PROCESSES));
        assertEquals(Map.of(), plan.environment(RankKind.PROCESSES));
        SelftestPlan amd = plan("rocm", PartKind.STRESS, List.of(4), List.of());
        assertEquals(Map.of("GPU_MAX_HW_QUEUES", "4"), amd.withGpus(1).environment(RankKind.PROCESSES));
    }
}
