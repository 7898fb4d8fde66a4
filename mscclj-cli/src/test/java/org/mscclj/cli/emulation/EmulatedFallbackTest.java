package org.mscclj.cli.emulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.cli.RankJvm;

/** NCCL's stand-in serves calls of ranks on emulated GPUs, in the order of streams, in graphs and by processes. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmulatedFallbackTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Map<String, String> FORCED = Map.of("MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION", "allreduce");
    private static final Map<String, String> ALL = Map.of("MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION", "all");

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedGpus.require();
    }

    @Test
    void theProviderServesRanksThatAreThreads() throws IOException, InterruptedException {
        requireRight(FallbackRanks.class, Map.of(), "provider");
    }

    @Test
    void communicatorsGiveCallsToIt() throws IOException, InterruptedException {
        requireRight(FallbackRanks.class, FORCED, "group");
    }

    @Test
    void processesGiveCallsToIt() throws IOException, InterruptedException {
        requireRight(FallbackRanks.class, FORCED, "process");
    }

    /** Plans and calls of NCCL in one graph, which is replayed. */
    @ParameterizedTest
    @ValueSource(strings = {"group", "process"})
    void oneGraphHasPlansAndCallsOfNccl(String ranks) throws IOException, InterruptedException {
        requireRight(MixedRanks.class, Map.of(), "graph", ranks);
    }

    /** Except for barriers, which stay. */
    @ParameterizedTest
    @ValueSource(strings = {"group", "process"})
    void theUserGivesItAllCollectives(String ranks) throws IOException, InterruptedException {
        requireRight(MixedRanks.class, ALL, "all", ranks);
    }

    /** Starts one VM, or one for each rank if the last argument asks for processes. */
    private void requireRight(Class<?> main, Map<String, String> variables, String... arguments)
            throws IOException, InterruptedException {
        List<RankJvm> started = new ArrayList<>();
        try {
            boolean processes = List.of(arguments).getLast().equals("process");
            String job = "emulated-fallback-" + UUID.randomUUID();
            for (int rank = 0; rank < (processes ? 2 : 1); rank++) {
                Map<String, String> own = new HashMap<>(variables);
                if (processes) {
                    own.putAll(RankJvm.variables(rank, 2, job));
                }
                started.add(RankJvm.start(main, folder, EmulatedGpus.variables(2, own), arguments));
            }
            for (RankJvm one : started) {
                one.await("right", LIMIT);
                assertEquals(0, one.awaitEnd(LIMIT), one::toString);
            }
        } finally {
            started.forEach(RankJvm::close);
        }
    }
}
