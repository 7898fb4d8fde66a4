package org.mscclj.cli.emulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.RankJvm;

/** NCCL's stand-in serves calls of ranks on emulated GPUs, in the order of streams, in graphs and by processes. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmulatedFallbackTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Map<String, String> FORCED = Map.of("MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION", "allreduce");

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedGpus.require();
    }

    @Test
    void theProviderServesRanksThatAreThreads() throws IOException, InterruptedException {
        requireRight(Map.of(), "provider");
    }

    @Test
    void communicatorsGiveCallsToIt() throws IOException, InterruptedException {
        requireRight(FORCED, "group");
    }

    @Test
    void processesGiveCallsToIt() throws IOException, InterruptedException {
        try (RankJvm first = start(process(0), "process");
                RankJvm second = start(process(1), "process")) {
            for (RankJvm rank : List.of(first, second)) {
                assertEquals(0, rank.awaitEnd(LIMIT), rank::toString);
            }
        }
    }

    private static Map<String, String> process(int rank) {
        Map<String, String> variables = new HashMap<>(FORCED);
        variables.putAll(RankJvm.variables(rank, 2, "emulated-fallback"));
        return variables;
    }

    private void requireRight(Map<String, String> variables, String mode) throws IOException, InterruptedException {
        try (RankJvm ranks = start(variables, mode)) {
            ranks.await("right", LIMIT);
            assertEquals(0, ranks.awaitEnd(LIMIT), ranks::toString);
        }
    }

    private RankJvm start(Map<String, String> variables, String mode) throws IOException {
        return RankJvm.start(FallbackRanks.class, folder, EmulatedGpus.variables(2, variables), mode);
    }
}
