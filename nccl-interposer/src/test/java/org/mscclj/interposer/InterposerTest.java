package org.mscclj.interposer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that call NCCL run unchanged; each scenario checks itself. */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterposerTest {
    /** Of a process that SIGKILL has ended. */
    private static final int KILLED = 137;

    @TempDir
    private Path folder;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        InterposedProgram.require();
    }

    @Test
    void allCollectivesOfTwoRanks() throws IOException, InterruptedException {
        InterposedProgram.start(2, Map.of(), "collectives", "2").awaitSuccess();
    }

    @Test
    @Tag("deep")
    void allCollectivesOfFourRanks() throws IOException, InterruptedException {
        InterposedProgram.start(4, Map.of(), "collectives", "4").awaitSuccess();
    }

    @Test
    @Tag("deep")
    void allCollectivesOnAmdGpus() throws IOException, InterruptedException {
        InterposedProgram.start(2, InterposedProgram.onAmdGpus(), "collectives", "2")
                .awaitSuccess();
    }

    /** Each type and reduction is a kernel that is compiled, which takes minutes. */
    @Test
    @EnabledIfSystemProperty(named = "mscclj.full", matches = "true", disabledReason = "takes minutes")
    void allTypesAndReductions() throws IOException, InterruptedException {
        InterposedProgram.start(2, Map.of(), "types", "1").awaitSuccess();
    }

    /** Some types, groups, children, memory, refusals, configurations, and what meets the VM in the process. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "types",
                "groups",
                "splits",
                "memory",
                "refusals",
                "configurations",
                "abort",
                "fork",
                "threads",
                "end"
            })
    void scenariosOfOneProcess(String scenario) throws IOException, InterruptedException {
        InterposedProgram.start(4, Map.of(), scenario).awaitSuccess();
    }

    /** A handler of SIGSEGV that the program installs, before the VM and after it. */
    @ParameterizedTest
    @ValueSource(strings = {"before", "after"})
    void pythonKeepsItsSignalsAndForks(String handler) throws IOException, InterruptedException {
        assumeTrue(InterposedProgram.isOnPath("python3"), "there is no python3 on PATH");
        InterposedProgram.startPython(Path.of("src/test/python/signals.py"), handler)
                .awaitSuccess();
    }

    private List<InterposedProgram> ranks(String scenario, String... arguments) throws IOException {
        return ranks(Map.of(), scenario, arguments);
    }

    private List<InterposedProgram> ranks(Map<String, String> variables, String scenario, String... arguments)
            throws IOException {
        List<InterposedProgram> ranks = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<String> all = new ArrayList<>(List.of(scenario, Integer.toString(rank)));
            all.addAll(List.of(arguments));
            ranks.add(InterposedProgram.start(2, variables, all.toArray(String[]::new)));
        }
        return ranks;
    }

    private String id() {
        return folder.resolve("id").toString();
    }

    /** Some calls; calls of many counts before the peer makes its first; two communicators in opposite orders. */
    @ParameterizedTest
    @ValueSource(strings = {"rank", "counts", "crossed"})
    void ranksOfTwoProcesses(String scenario) throws IOException, InterruptedException {
        for (InterposedProgram rank : ranks(scenario, id())) {
            rank.awaitSuccess();
        }
    }

    /** Global, of a thread, relaxed; without and with calls before the capture. */
    @ParameterizedTest
    @CsvSource({"0,0", "1,0", "2,0", "0,1"})
    void capturesOfTheProgram(String mode, String warm) throws IOException, InterruptedException {
        for (InterposedProgram rank : ranks("capture", id(), mode, warm)) {
            rank.awaitSuccess();
        }
    }

    /** What serves the calls of two processes, as the log of selections says. */
    private void requireServedBy(String name, String variable, String value) throws IOException, InterruptedException {
        Map<String, String> variables = Map.of("MSCCLJ_DEBUG", "selection", variable, value);
        for (InterposedProgram rank : ranks(variables, "rank", id())) {
            rank.awaitSuccess();
            assertTrue(rank.output().contains(" bytes is served by " + name), rank::output);
        }
    }

    @Test
    void plansOfAFolderComeFirst() throws IOException, InterruptedException {
        Path plan = InterposedProgram.ROOT.resolve("examples/plans/allreduce_packets_2ranks.json");
        Path plans = Files.createDirectory(folder.resolve("plans"));
        Files.copy(plan, plans.resolve("own.json"));
        requireServedBy("allreduce_packets_2ranks", "MSCCLJ_PLANS", plans.toString());
    }

    @Test
    void theInstalledNcclServesWhatItMust() throws IOException, InterruptedException {
        requireServedBy("nccl", "MSCCLJ_FORCE_NCCL_FALLBACK_OPERATION", "allreduce");
    }

    @Test
    void killedRankIsNamed() throws IOException, InterruptedException {
        List<InterposedProgram> ranks = ranks("loss", id());
        ranks.getFirst().awaitSuccess();
        assertEquals(KILLED, ranks.getLast().await(), ranks.getLast()::output);
    }
}
