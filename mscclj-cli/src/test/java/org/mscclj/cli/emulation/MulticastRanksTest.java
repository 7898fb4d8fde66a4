package org.mscclj.cli.emulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.cli.RankJvm;

/**
 * Ranks on emulated GPUs with multicast turned on, where all goes well, where steps fail, and where ranks are killed.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MulticastRanksTest {
    private static final Duration LIMIT = Duration.ofSeconds(200);
    private static final String PROGRAMS = "multicast,multicast_direct,multicast_packets,multicast_pipeline";
    private static final String NONE = "multicast accesses: 0";
    private static final String NOTHING_LEFT = "left: 0 0 0 0";
    private static final int KILLED = 128 + 9;

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedGpus.require();
    }

    private RankJvm start(int gpus, Map<String, String> variables, String how, String programs) throws IOException {
        Map<String, String> all = new HashMap<>(Map.of("MSCCLJ_NVLS", "on"));
        all.putAll(variables);
        return RankJvm.start(
                SwitchRanks.class, folder, EmulatedGpus.variables(gpus, all), how, Integer.toString(gpus), programs);
    }

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3})
    void ranksThatAreThreads(int ranks) throws Exception {
        try (RankJvm group = start(ranks, Map.of(), "group", PROGRAMS)) {
            assertEquals("right", group.await("right", LIMIT), group::toString);
            assertNotEquals(NONE, group.await("multicast accesses", LIMIT));
            assertEquals(NOTHING_LEFT, group.await("left", LIMIT));
        }
    }

    /** What does not work is emulated. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuMulticastGetGranularity:0:801",
                "cuMulticastCreate:0:800",
                "cuMulticastAddDevice:1:401",
                "cuMulticastBindMem:0:401",
                "cuMulticastBindMem:1:2"
            })
    void ranksEmulateWhereAStepFails(String failing) throws Exception {
        try (RankJvm group = start(2, Map.of("STANDIN_FAIL", failing), "group", "multicast")) {
            assertEquals("right", group.await("right", LIMIT), group::toString);
            assertEquals(NOTHING_LEFT, group.await("left", LIMIT));
        }
    }

    private RankJvm process(int rank, String job, Map<String, String> variables) throws IOException {
        Map<String, String> all = new HashMap<>(variables);
        all.putAll(RankJvm.variables(rank, 2, job));
        return start(2, all, "process", PROGRAMS);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 1",
        "cuMulticastCreate, 0",
        "cuMulticastAddDevice, 0",
        "cuMulticastAddDevice, 1",
        "cuMulticastBindMem, 0",
        "cuMulticastBindMem, 1"
    })
    void ranksThatAreProcesses(String step, int killed) throws Exception {
        String job = "switch-" + UUID.randomUUID();
        Map<String, String> fault = step.isEmpty() ? Map.of() : Map.of("STANDIN_KILL", step + ":0");
        try (RankJvm lost = process(killed, job, fault);
                RankJvm other = process(1 - killed, job, Map.of())) {
            if (step.isEmpty()) {
                for (RankJvm rank : List.of(lost, other)) {
                    assertEquals("right", rank.await("right", LIMIT), rank::toString);
                    assertNotEquals(NONE, rank.await("multicast accesses", LIMIT));
                }
            } else {
                assertEquals(KILLED, lost.awaitEnd(LIMIT), lost::toString);
                String said = other.await("failed", LIMIT);
                assertTrue(said.matches(".*RankLostException.*\\b" + killed + "\\b.*"), said);
            }
            assertEquals(NOTHING_LEFT, other.await("left", LIMIT));
        }
    }
}
