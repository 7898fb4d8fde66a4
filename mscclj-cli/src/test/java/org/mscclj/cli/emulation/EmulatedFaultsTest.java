package org.mscclj.cli.emulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.cli.RankJvm;

/**
 * What fails in NCCL is an exception on every rank, which then ends: an error, a lost rank, a version or a library that
 * cannot be used. Tests of the provider do the same in each version in which NCCL has changed.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EmulatedFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String LIBRARY = "MSCCLJ_NCCL_LIB";
    private static final int KILLED = 9;

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedGpus.require();
    }

    private static Map<String, String> version(int code) throws IOException, InterruptedException {
        return Map.of(LIBRARY, EmulatedGpus.nccl("nccl-" + code, "-DVERSION=" + code));
    }

    /**
     * Returns what the ranks say, rank 0 first.
     *
     * @param variables of all ranks
     * @param ofLast of rank 1, if ranks are processes
     * @param lost whether rank 1 ends without a word
     */
    private List<String> said(
            String what, String how, Map<String, String> variables, Map<String, String> ofLast, boolean lost)
            throws IOException, InterruptedException {
        List<RankJvm> started = new ArrayList<>();
        String job = "emulated-faults-" + UUID.randomUUID();
        boolean processes = how.equals("process");
        try {
            for (int rank = 0; rank < (processes ? 2 : 1); rank++) {
                Map<String, String> own = new HashMap<>(variables);
                if (processes) {
                    own.putAll(rank == 1 ? ofLast : Map.of());
                    own.putAll(RankJvm.variables(rank, 2, job));
                }
                started.add(RankJvm.start(FaultyRanks.class, folder, EmulatedGpus.variables(2, own), what, how));
            }
            List<String> said = new ArrayList<>();
            for (int rank = 0; rank < started.size(); rank++) {
                RankJvm one = started.get(rank);
                boolean silent = lost && rank == 1;
                for (int line = 0; !silent && line < (processes ? 1 : 2); line++) {
                    said.add(one.await("rank ", LIMIT));
                }
                assertEquals(silent ? KILLED : 0, one.awaitEnd(LIMIT), one::toString);
            }
            return said.stream().sorted().toList();
        } finally {
            started.forEach(RankJvm::close);
        }
    }

    private static void assertSaid(String exception, String reason, List<String> said) {
        for (int rank = 0; rank < said.size(); rank++) {
            String line = said.get(rank);
            assertTrue(line.matches("rank " + rank + ": " + exception + ": .*"), line);
            assertTrue(line.contains(reason), line);
        }
    }

    /** The rank whose NCCL has failed gets its code; another process gets that as the reason of the abort. */
    private static void assertFailed(String code, List<String> said) {
        assertTrue(said.stream().anyMatch(line -> line.matches("rank .: BackendException: .*")), said::toString);
        assertSaid("(BackendException|AbortedException)", code, said);
    }

    @ParameterizedTest
    @CsvSource({"group, 21403", "process, 21903", "process, 23007"})
    void anErrorOfTheFirstCall(String how, int version) throws IOException, InterruptedException {
        assertFailed("ncclSystemError", said("first", how, version(version), Map.of(), false));
    }

    @ParameterizedTest
    @CsvSource({"group, 21403", "process, 21903", "process, 23007"})
    void anErrorThatNcclReportsLater(String how, int version) throws IOException, InterruptedException {
        assertFailed("ncclRemoteError", said("later", how, version(version), Map.of(), false));
    }

    /** NCCL has refused it, and goes on. The other rank waits until its timeout, or until this one has closed. */
    @ParameterizedTest
    @ValueSource(strings = {"group", "process"})
    void anErrorOfOneCall(String how) throws IOException, InterruptedException {
        List<String> said = said("alone", how, Map.of(), Map.of(), false);
        assertTrue(said.stream().anyMatch(line -> line.matches("rank .: BackendException: .*")), said::toString);
        assertSaid("(BackendException|OperationTimeoutException|RankLostException)", "", said);
    }

    @ParameterizedTest
    @ValueSource(ints = {21403, 23007})
    void aProcessThatIsKilledDuringACall(int version) throws IOException, InterruptedException {
        assertSaid("RankLostException", "rank 1", said("killed", "process", version(version), Map.of(), true));
    }

    @Test
    void aThreadThatClosesItsCommunicator() throws IOException, InterruptedException {
        List<String> said = said("killed", "group", Map.of(), Map.of(), false);
        assertTrue(said.getFirst().startsWith("rank 0: RankLostException: "), said::toString);
    }

    @ParameterizedTest
    @ValueSource(ints = {21403, 23007})
    void aProcessThatIsKilledWhenNcclOpens(int version) throws IOException, InterruptedException {
        assertSaid("RankLostException", "rank 1", said("opening", "process", version(version), Map.of(), true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"group", "process"})
    void aVersionThatIsTooOld(String how) throws IOException, InterruptedException {
        assertSaid(
                "UnsupportedException",
                "ncclCommInitRankConfig needs NCCL \u2265 2.14.3, found 2.10.3",
                said("call", how, version(21003), Map.of(), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"group", "process"})
    void aLibraryWithoutAFunction(String how) throws IOException, InterruptedException {
        String path = EmulatedGpus.nccl("nccl-without-broadcast", "-DncclBroadcast=ncclOther");
        assertSaid(
                "UnsupportedException",
                path + " has no ncclBroadcast",
                said("call", how, Map.of(LIBRARY, path), Map.of(), false));
    }

    /** The other rank refuses the call too, and says which rank does not have the library. */
    @Test
    void aLibraryThatOneRankDoesNotHave() throws IOException, InterruptedException {
        List<String> said = said("call", "process", Map.of(), Map.of(LIBRARY, "/nowhere/libnccl.so.2"), false);
        assertSaid("UnsupportedException", "/nowhere/libnccl.so.2", said);
        assertTrue(said.getFirst().contains("rank 1 failed: no algorithm serves"), said::toString);
    }

    @Test
    void aVersionThatIsTooOldOnOneRank() throws IOException, InterruptedException {
        List<String> said = said("call", "process", Map.of(), version(21003), false);
        assertSaid("UnsupportedException", "needs NCCL \u2265 2.14.3, found 2.10.3", said);
    }
}
