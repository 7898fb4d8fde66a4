package org.mscclj.interposer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void allCollectivesOfOneProcess(int ranks) throws IOException, InterruptedException {
        InterposedProgram.start(ranks, Map.of(), "collectives", Integer.toString(ranks))
                .awaitSuccess();
    }

    /** Types, reductions, groups, children, memory, refusals, configurations, an abort and forks. */
    @ParameterizedTest
    @ValueSource(strings = {"types", "groups", "splits", "memory", "refusals", "configurations", "abort", "fork"})
    void scenariosOfOneProcess(String scenario) throws IOException, InterruptedException {
        InterposedProgram.start(4, Map.of(), scenario).awaitSuccess();
    }

    private List<InterposedProgram> ranks(String scenario, String... arguments) throws IOException {
        List<InterposedProgram> ranks = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<String> all = new ArrayList<>(List.of(scenario, Integer.toString(rank)));
            all.addAll(List.of(arguments));
            ranks.add(InterposedProgram.start(2, Map.of(), all.toArray(String[]::new)));
        }
        return ranks;
    }

    private String id() {
        return folder.resolve("id").toString();
    }

    @Test
    void ranksOfTwoProcesses() throws IOException, InterruptedException {
        for (InterposedProgram rank : ranks("rank", "2", id())) {
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

    @Test
    void killedRankIsNamed() throws IOException, InterruptedException {
        List<InterposedProgram> ranks = ranks("loss", id());
        ranks.getFirst().awaitSuccess();
        assertEquals(KILLED, ranks.getLast().await(), ranks.getLast()::output);
    }
}
