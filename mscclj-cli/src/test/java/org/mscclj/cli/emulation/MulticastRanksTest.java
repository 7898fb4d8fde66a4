package org.mscclj.cli.emulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.cli.RankJvm;
import org.mscclj.cli.emulation.SwitchRanks.Memory;

/**
 * Ranks on emulated GPUs with multicast turned on, where all goes well, where steps fail, and where ranks are killed.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MulticastRanksTest {
    private static final Duration LIMIT = Duration.ofSeconds(200);
    private static final String PROGRAMS = "multicast,multicast_direct,multicast_packets,multicast_pipeline";
    private static final String NONE = "multicast accesses: 0";
    private static final String EMULATED = "switch channels are emulated over mapped memory; ";
    private static final int KILLED = 128 + 9;

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedGpus.require();
    }

    private RankJvm start(int gpus, Map<String, String> variables, String how, String programs, Memory memory)
            throws IOException {
        Map<String, String> all = new HashMap<>(Map.of("MSCCLJ_NVLS", "on"));
        all.putAll(variables);
        return RankJvm.start(
                SwitchRanks.class,
                folder,
                EmulatedGpus.variables(gpus, all),
                how,
                Integer.toString(gpus),
                programs,
                memory.name());
    }

    /** Of a process that ends by itself. */
    private static void assertNothingLeft(RankJvm process) throws InterruptedException {
        assertEquals("left: 0 0 0 0", process.await("left", LIMIT));
        assertEquals("descriptors: 0", process.await("descriptors", LIMIT));
    }

    private static void assertMulticast(RankJvm process) throws InterruptedException {
        assertEquals("right", process.await("right", LIMIT), process::toString);
        assertNotEquals(NONE, process.await("multicast accesses", LIMIT));
        assertEquals("failed calls: 0", process.await("failed calls", LIMIT));
        assertNothingLeft(process);
        assertFalse(process.toString().contains(EMULATED), process::toString);
    }

    /**
     * Results are right without any multicast access, and the log has the reasons of the ranks.
     *
     * @param failing whether a call of the driver has to fail
     */
    private static void assertEmulated(RankJvm process, String reasons, boolean failing) throws InterruptedException {
        assertEquals("right", process.await("right", LIMIT), process::toString);
        assertEquals(NONE, process.await("multicast accesses", LIMIT));
        assertEquals(failing, !process.await("failed calls", LIMIT).equals("failed calls: 0"), process::toString);
        assertNothingLeft(process);
        List<String> logged = process.transcript().stream()
                .filter(line -> line.contains(EMULATED))
                .map(line -> line.substring(line.indexOf(EMULATED) + EMULATED.length()))
                .toList();
        assertTrue(!logged.isEmpty() && logged.stream().allMatch(line -> line.matches(reasons)), process::toString);
    }

    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {2, 3})
    void ranksThatAreThreads(int ranks) throws Exception {
        try (RankJvm group = start(ranks, Map.of(), "group", PROGRAMS, Memory.COMMUNICATOR)) {
            assertMulticast(group);
        }
    }

    /** What does not work is emulated. */
    @ParameterizedTest
    @CsvSource({
        "cuMulticastGetGranularity:0:801:100, reading the granularity of multicast .*code 801",
        "cuMulticastCreate:0:800, creating a multicast object .*code 800",
        "cuMulticastAddDevice:1:401, adding GPU \\d to a multicast object .*code 401",
        "cuMulticastBindMem:0:401, binding \\d+ bytes to multicast .*code 401",
        "cuMulticastBindMem:1:2, binding \\d+ bytes to multicast .*code 2",
        "cuMemMap/multicast:1:2, mapping memory .*code 2"
    })
    void ranksEmulateWhereAStepFails(String failing, String reason) throws Exception {
        try (RankJvm group = start(2, Map.of("STANDIN_FAIL", failing), "group", "multicast", Memory.COMMUNICATOR)) {
            assertEmulated(group, "rank [01]: " + reason + ".*", true);
        }
    }

    /** Buffers within blocks of memory are bound with the units in which they begin, if these are alike. */
    @Test
    void buffersThatBeginAtEqualPositionsAreBound() throws Exception {
        try (RankJvm group = start(3, Map.of(), "group", "multicast_direct", Memory.EQUAL)) {
            assertMulticast(group);
        }
    }

    @Test
    void ranksEmulateWhereBuffersBeginAtUnequalPositions() throws Exception {
        try (RankJvm group = start(3, Map.of(), "group", "multicast_direct", Memory.UNEQUAL)) {
            String own = "provider nvls with .* and buffers that begin at \\[\\d+\\]";
            assertEmulated(group, "rank 1: " + own + ", where rank 0 has " + own + "; rank 2: .*", false);
        }
    }

    @Test
    void ranksThatAreProcesses() throws Exception {
        String job = "switch-" + UUID.randomUUID();
        try (RankJvm one = process(0, 2, job, Map.of(), PROGRAMS);
                RankJvm other = process(1, 2, job, Map.of(), PROGRAMS)) {
            assertMulticast(one);
            assertMulticast(other);
        }
    }

    private RankJvm process(int rank, int ranks, String job, Map<String, String> variables, String programs)
            throws IOException {
        Map<String, String> all = new HashMap<>(variables);
        all.putAll(RankJvm.variables(rank, ranks, job));
        return start(ranks, all, "process", programs, Memory.RELEASED);
    }

    /** A rank that is killed in a step, from the creation of the group to its release. */
    @ParameterizedTest(name = "{0}, rank {1} of {2}")
    @CsvSource({
        "cuMulticastCreate, 0, 2, multicast",
        "cuMemExportToShareableHandle/multicast, 0, 3, multicast",
        "cuMemImportFromShareableHandle/multicast, 1, 3, multicast",
        "cuMulticastAddDevice, 1, 2, multicast",
        "cuMulticastBindMem, 1, 3, multicast",
        "cuMemMap/multicast, 1, 2, multicast",
        "multimem, 1, 3, multicast_direct",
        "cuMemUnmap/multicast, 1, 2, multicast_direct",
        "cuMemRelease/multicast, 1, 2, multicast_direct"
    })
    void othersNameTheRankThatIsKilled(String step, int killed, int ranks, String program) throws Exception {
        killed(step, killed, ranks, program);
    }

    @Tag("deep")
    @ParameterizedTest(name = "{0}, rank {1} of {2}")
    @CsvSource({
        "cuMulticastBindMem, 0, 3, multicast_direct",
        "multimem, 0, 3, multicast",
        "cuMemRelease/multicast, 0, 3, multicast_direct"
    })
    void othersNameAnyRankThatIsKilled(String step, int killed, int ranks, String program) throws Exception {
        killed(step, killed, ranks, program);
    }

    private void killed(String step, int killed, int ranks, String program) throws Exception {
        String job = "switch-" + UUID.randomUUID();
        List<RankJvm> started = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                Map<String, String> fault = rank == killed ? Map.of("STANDIN_KILL", step + ":0") : Map.of();
                started.add(process(rank, ranks, job, fault, program));
            }
            assertEquals(KILLED, started.get(killed).awaitEnd(LIMIT), started.get(killed)::toString);
            for (int rank = 0; rank < ranks; rank++) {
                if (rank != killed) {
                    String said = started.get(rank).await("failed: ", LIMIT);
                    assertTrue(said.matches("failed: RankLostException: .*\\brank " + killed + "\\b.*"), said);
                    assertNothingLeft(started.get(rank));
                }
            }
        } finally {
            started.forEach(RankJvm::close);
        }
    }
}
