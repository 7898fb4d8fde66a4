package org.mscclj.cli.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.cli.launch.ExitCode;

class FailureReasonTest {
    private static final ExitCode FAILED = new ExitCode(1);

    @Test
    void isTheLastLineOfThePart() {
        assertEquals(
                "mscclj: 1 rank failed",
                Selftest.reason(FAILED, List.of("# 4 ranks", "mscclj: 1 rank failed", "# 3 right, 1 wrong")));
        assertEquals("3 right, 1 wrong", Selftest.reason(FAILED, List.of("# 4 ranks", "# 3 right, 1 wrong")));
    }

    @Test
    void isTheExitCodeWithoutOutput() {
        assertEquals("ended with exit code 1", Selftest.reason(FAILED, List.of("#", "a line")));
    }

    /** The last line of the log is no reason then: it is the table's head, as in a run on a GPU that was cut off. */
    @Test
    void isTheSignalThatEndedIt() {
        assertEquals(
                "was ended by signal 15",
                Selftest.reason(new ExitCode(128 + 15), List.of("# backend cuda, processes, quick", "passed")));
    }
}
