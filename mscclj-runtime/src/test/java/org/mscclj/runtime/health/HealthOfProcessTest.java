package org.mscclj.runtime.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.runtime.process.ModuleJvm;

/** What an application hears of its process, which is another one: other tests have faults in this one. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HealthOfProcessTest {
    @Test
    void onlyWhatNobodyWantedIsAFault() throws Exception {
        Process process = ModuleJvm.start(Map.of("MSCCLJ_WATCHDOG_ENQUEUE_SECONDS", "1"), HealthOfProcess.class);
        try (BufferedReader output = process.inputReader()) {
            List<String> lines = output.lines().toList();
            assertEquals(
                    List.of(
                            "at first: true",
                            "after an abort: true",
                            "after a bad call: true",
                            "after shrinking: true",
                            "when it is thrown: false"),
                    lines.subList(0, 5),
                    lines::toString);
            List<String> ofRanks = lines.subList(5, 7); // both ranks of the process have the fault
            assertEquals(
                    Set.of("late, rank 0, TIMEOUT", "late, rank 1, TIMEOUT"),
                    ofRanks.stream()
                            .map(line -> line.substring(0, line.indexOf(':')))
                            .collect(Collectors.toSet()));
            assertTrue(
                    ofRanks.stream()
                            .allMatch(line -> line.contains(": late, rank 0: launch #1, allreduce of 64 bytes")),
                    lines::toString);
            assertEquals("after all is closed: false", lines.get(7));
            assertEquals(ofRanks, lines.subList(8, 10));
            assertEquals(0, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }
}
