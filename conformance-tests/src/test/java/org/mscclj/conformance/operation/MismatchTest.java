package org.mscclj.conformance.operation;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rank 1 has called a broadcast from root 1, where ranks 0 and 2 have called an allreduce; or so a message says. */
class MismatchTest {
    private static boolean isNamed(String message) {
        return Mismatch.isNamed(message, 1, " allreduce of ", "root 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "late; rank 1 called broadcast of 4 bytes, root 1 as #3, where ranks 0 and 2 called allreduce"
                        + " of 4 bytes",
                "late; rank 1 called broadcast, root 1 as #3, where rank 0 called allreduce of 4 bytes; rank 2:"
                        + " no answer",
                "late; rank 0 called allreduce of 4 bytes as #3, where rank 1 called broadcast of 4 bytes, root 1",
                "calls differ; ranks [0, 2]: allreduce of 4 bytes; ranks [1]: broadcast, root 1; all must call the same"
            })
    void aRankAndItsCall(String message) {
        assertTrue(isNamed(message));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "late; rank 1 called allreduce of 4 bytes as #3, where ranks 0 and 2 called broadcast, root 1",
                "late; ranks 0 and 2 called broadcast, root 1 as #3, where rank 1 called allreduce of 4 bytes",
                "late; rank 2 called broadcast, root 1 as #3, where ranks 0 and 1 called allreduce of 4 bytes",
                "late; rank 1 called broadcast, root 10 as #3, where ranks 0 and 2 called allreduce of 4 bytes",
                "late; rank 11 called broadcast, root 1 as #3, where ranks 0 and 2 called allreduce of 4 bytes",
                "calls differ; ranks [0, 2]: broadcast, root 1; ranks [1]: allreduce of 4 bytes",
                "calls differ; ranks [0, 1]: broadcast, root 1; ranks [2]: allreduce of 4 bytes",
                "calls differ; ranks [1]: broadcast, root 1",
                "ranks differ: allreduce of 4 bytes, root 1",
                ""
            })
    void anythingElse(String message) {
        assertFalse(isNamed(message));
    }
}
