package org.mscclj.cli.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.cli.RankJvm;

/**
 * Communicators that are opened, used and closed leak nothing: after the first fifth no resource grows any more.
 * {@code -Dmscclj.full=true} for a thousand of them.
 */
@Timeout(value = 1100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyCommunicatorsTest {
    private static final int TIMES = Integer.getInteger("mscclj.times", Boolean.getBoolean("mscclj.full") ? 1000 : 100);
    private static final int PARTS = 5;
    private static final Duration LIMIT = Duration.ofSeconds(600);

    /** The VM has threads and arenas of its own, which come and go. */
    private static final int TOLERANCE = 4;

    private static final int TOLERANCE_OF_MAPPINGS = 24;

    /** Less than a kilobyte for each of eight hundred communicators. */
    private static final long TOLERANCE_OF_HEAP = 400 << 10;

    private final String job = "many-" + UUID.randomUUID();

    /**
     * The first communicator of a host makes the folder for sockets of debuggers, which stays: this process keeps a
     * socket in it.
     */
    @BeforeAll
    static void makeTheFolderOfSockets() {
        LocalGroup.open(LocalGroupOptions.ranks(1)).close();
    }

    @TempDir
    Path temporary;

    @Test
    void twoProcessesLeakNothing() throws Exception {
        requireFlat(List.of(variables(0, 2), variables(1, 2)), 2);
    }

    @Tag("deep")
    @Test
    void twoProcessesOnTwoNodesLeakNothing() throws Exception {
        requireFlat(List.of(variables(0, 1), variables(1, 1)), 1);
    }

    @Test
    void aProcessWithLocalGroupsLeaksNothing() throws Exception {
        requireFlat(List.of(Map.of()), 2);
    }

    private Map<String, String> variables(int rank, int ranksPerNode) {
        return RankJvm.variables(rank, 2, ranksPerNode, job);
    }

    private void requireFlat(List<Map<String, String>> processes, int ranksPerNode) throws Exception {
        Places places = Places.before(temporary);
        List<RankJvm> started = new ArrayList<>();
        try {
            for (Map<String, String> variables : processes) {
                started.add(RankJvm.start(
                        OpenAndClose.class,
                        temporary,
                        variables,
                        Integer.toString(TIMES),
                        Integer.toString(TIMES / PARTS)));
            }
            for (RankJvm process : started) {
                assertEquals(0, process.awaitEnd(LIMIT), process::toString);
            }
        } finally {
            started.forEach(RankJvm::close);
        }
        for (RankJvm process : started) {
            requireFlat(process, ranksPerNode);
        }
        places.requireNothingNew();
    }

    private static void requireFlat(RankJvm process, int ranksPerNode) {
        List<String> lines = process.transcript().stream()
                .filter(line -> line.startsWith("after "))
                .toList();
        assertEquals(PARTS, lines.size(), process::toString);
        lines.forEach(
                line -> System.out.println("ManyCommunicatorsTest: " + ranksPerNode + " ranks per node, " + line));
        JvmStatus few = status(lines.getFirst());
        JvmStatus many = status(lines.getLast());
        assertTrue(many.threads() <= few.threads() + TOLERANCE, process::toString);
        assertTrue(many.tasks() <= few.tasks() + TOLERANCE, process::toString);
        assertTrue(many.files() <= few.files() + TOLERANCE, process::toString);
        assertTrue(many.mappings() <= few.mappings() + TOLERANCE_OF_MAPPINGS, process::toString);
        long[] heap = lines.stream().mapToLong(line -> status(line).heapBytes()).toArray();
        // A leak of every part appears in both measures.
        assertTrue(
                Math.min(usuallyAdded(heap), addedInTheEnd(heap)) <= TOLERANCE_OF_HEAP / (PARTS - 1),
                process::toString);
    }

    /** Returns the typical growth in a part. Now and then the VM keeps memory for good, independently of the parts. */
    private static long usuallyAdded(long[] heap) {
        long[] added = IntStream.range(1, heap.length)
                .mapToLong(part -> heap[part] - heap[part - 1])
                .sorted()
                .toArray();
        return (added[(added.length - 1) / 2] + added[added.length / 2]) / 2;
    }

    /**
     * What each of the last two parts adds to the most that was in use before. Some of what a process keeps for the
     * next communicator comes and goes, so that the heap of one part can be less than that of the part before.
     */
    private static long addedInTheEnd(long[] heap) {
        int last = heap.length - 2;
        long before = Arrays.stream(heap, 0, last).max().orElseThrow();
        return (Arrays.stream(heap, last, heap.length).max().orElseThrow() - before) / 2;
    }

    private static JvmStatus status(String line) {
        return JvmStatus.parse(line.substring(line.indexOf(':') + 1));
    }
}
