package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ranks in processes of their own close windows whose mapped memory is in use: they would end by a signal if that were
 * unmapped.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UsedWindowTest {
    private static final String REASON =
            "closing a window: on rank 0 the memory of ranks [1], which mapRemote gave, is in use by"
                    + " operations, copies, graphs or holders;"
                    + " close those, or wait for them, and close the window again, on all ranks";
    private static final String GONE = "gone: the buffer is closed; allocate another one";

    private static List<String> lines(Process rank) throws Exception {
        return rank.inputReader().lines().toList();
    }

    @Test
    void memoryStaysMappedWhileSomethingUsesIt() throws Exception {
        String job = "test-" + UUID.randomUUID();
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < 2; rank++) {
                ranks.add(RankJvm.start(ClosesUsedWindows.class, rank, 2, job, Map.of()));
            }
            assertEquals(
                    List.of(
                            "in flight: refused: " + REASON,
                            "ended: closed",
                            "prepared: refused: " + REASON,
                            "not prepared: closed",
                            "its own: closed",
                            "aborted: closed",
                            "told of the abort",
                            GONE),
                    lines(ranks.getFirst()));
            assertEquals(
                    List.of(
                            "in flight: refused: rank 0 refused: " + REASON,
                            "received 7",
                            "ended: closed",
                            "prepared: refused: rank 0 refused: " + REASON,
                            "not prepared: closed",
                            "its own: closed",
                            "aborted: closed",
                            "told of the abort",
                            GONE,
                            "received 9"),
                    lines(ranks.getLast()));
            for (Process rank : ranks) {
                assertEquals(0, rank.waitFor());
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }
}
