package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks in processes of their own are killed, and newcomers take their places. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReconfigureAfterKillTest {
    @TempDir
    Path folder;

    private final List<Rank> ranks = new ArrayList<>();

    /** A process, what it prints and what it is told. */
    private record Rank(Process process, BufferedReader output, Writer input) {
        void tell(String line) throws IOException {
            input.write(line + "\n");
            input.flush();
        }

        void requireLine(String expected) throws IOException {
            assertEquals(expected, output.readLine());
        }
    }

    private void start(Map<String, String> environment, String... arguments) throws IOException {
        Process process = ModuleJvm.start(environment, GoOnWithNewcomers.class, arguments);
        ranks.add(new Rank(process, process.inputReader(), process.outputWriter()));
    }

    private void startWorld(int size) throws IOException {
        for (int rank = 0; rank < size; rank++) {
            start(
                    Map.of("MSCCLJ_RANK", Integer.toString(rank), "MSCCLJ_WORLD_SIZE", Integer.toString(size)),
                    folder.toString(),
                    Integer.toString(rank));
        }
    }

    private void startNewcomer(int rank, String quorum) throws IOException {
        start(Map.of(), folder.toString(), Integer.toString(ranks.size()), Integer.toString(rank), quorum);
    }

    private void requireSums(List<Integer> members) throws IOException {
        int sum = members.stream().mapToInt(member -> 1 << member).sum();
        for (int rank = 0; rank < members.size(); rank++) {
            ranks.get(members.get(rank)).requireLine("rank " + rank + " of " + members.size() + ", sum " + sum);
        }
    }

    private void endAll(List<Integer> members) throws Exception {
        for (int member : members) {
            ranks.get(member).input().close();
        }
        for (int member : members) {
            assertEquals(0, ranks.get(member).process().waitFor());
        }
    }

    @AfterEach
    void killAll() {
        ranks.forEach(rank -> rank.process().destroyForcibly());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void twoSurvivorsAndANewcomerGoOnAndSoDoThoseAfterThem(int victim) throws Exception {
        startWorld(3);
        requireSums(List.of(0, 1, 2));
        List<Integer> survivors = victim == 0 ? List.of(1, 2) : List.of(0, 2);
        for (int survivor : survivors) {
            ranks.get(survivor).tell("await loss");
        }
        ranks.get(victim).process().destroyForcibly();
        String again = "again " + survivors.get(0) + "," + survivors.get(1) + ",-1";
        startNewcomer(2, again);
        for (int survivor : survivors) {
            ranks.get(survivor).requireLine("lost " + victim);
            ranks.get(survivor).tell(again);
        }
        requireSums(List.of(survivors.get(0), survivors.get(1), 3));

        // once more: the newcomer is the one that stays with one survivor, and another comes
        ranks.get(3).tell("await loss");
        ranks.get(survivors.get(1)).tell("await loss");
        ranks.get(survivors.get(0)).process().destroyForcibly();
        String third = "third 2,-1,1";
        startNewcomer(1, third);
        for (int survivor : List.of(survivors.get(1), 3)) {
            ranks.get(survivor).requireLine("lost 0");
            ranks.get(survivor).tell(third);
        }
        List<Integer> last = List.of(3, 4, survivors.get(1));
        requireSums(last);
        endAll(last);
    }

    /** The timeout of the quorum is ten minutes. */
    @Test
    void aNewRankZeroThatIsKilledIsNamedAtOnce() throws Exception {
        startWorld(3);
        requireSums(List.of(0, 1, 2));
        for (int survivor : List.of(0, 1)) {
            ranks.get(survivor).tell("in vain again 2,0,1");
            ranks.get(survivor).requireLine("waits");
        }
        ranks.get(2).process().destroyForcibly();
        for (int survivor : List.of(0, 1)) {
            ranks.get(survivor).requireLine("lost 0 of the quorum");
        }
        endAll(List.of(0, 1));
    }

    @Test
    void twoGrowToFour() throws Exception {
        startWorld(2);
        requireSums(List.of(0, 1));
        String grown = "grown 0,1,-1,-1";
        ranks.get(0).tell(grown);
        ranks.get(1).tell(grown);
        startNewcomer(2, grown);
        startNewcomer(3, grown);
        requireSums(List.of(0, 1, 2, 3));
        endAll(List.of(0, 1, 2, 3));
    }
}
