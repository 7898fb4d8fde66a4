package org.mscclj.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ExplainTest {
    private static final String RING = CommandLineRun.example("allreduce_ring_4ranks");

    private static void assertLine(String regex, CommandLineRun run) {
        assertTrue(run.out().lines().anyMatch(line -> line.matches(regex)), run::out);
    }

    @Test
    void everyCandidateHasAReason() {
        CommandLineRun run = CommandLineRun.of("explain", "allreduce", "--ranks", "2", "--size", "1M", "--op", "max");
        assertEquals(0, run.code(), run.err());
        assertTrue(run.out().startsWith("allreduce of float32, max, 1048576 bytes a buffer, out of place"), run::out);
        assertLine(" +direct +shipped program +chosen +the best one for this size .*", run);
        assertLine(" +scratch +shipped program +not needed +direct comes first", run);
        assertLine(" +two_level +shipped program +refused +it is for several nodes, and there is one", run);
    }

    @Test
    void registeredPlansComeFirst() {
        CommandLineRun run = CommandLineRun.of("explain", "allreduce", "--ranks", "4", "--in-place", "--plan", RING);
        assertEquals(0, run.code(), run.err());
        assertLine(" +allreduce_ring_4ranks +registered plan +chosen +the selectors choose it", run);
        CommandLineRun other = CommandLineRun.of("explain", "allreduce", "--ranks", "2", "--plan", RING);
        assertLine(" +allreduce_ring_4ranks +registered plan +refused +it is for 4 ranks", other);
    }

    @Test
    void aFallbackForOtherDevicesIsRefused() {
        CommandLineRun run = CommandLineRun.of("explain", "broadcast", "--algorithm", "nccl", "--backend", "host");
        assertEquals(1, run.code(), run.err());
        assertLine(" +nccl +fallback +refused +it is not for devices of this backend", run);
        assertLine("No algorithm serves the call\\.", run);
    }

    @Test
    void argumentsAreChecked() {
        CommandLineRun root = CommandLineRun.of("explain", "allreduce", "--root", "1");
        assertEquals(2, root.code());
        assertTrue(root.err().contains("--root is 1; allowed: 0: allreduce has none"), root::err);
        assertEquals(2, CommandLineRun.of("explain", "allreduc").code());
    }
}
