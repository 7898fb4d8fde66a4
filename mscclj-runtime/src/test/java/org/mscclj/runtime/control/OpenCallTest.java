package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.spi.engine.AbortFlag;

/** Who waits in vain while something is set up is told what the others do, and the others are told that he waits. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenCallTest {
    private static final String SUM = "allreduce of 1 MiB float16, sum, by ring";

    private static LocalControlPlane plane(AbortFlag abort) {
        return new LocalControlPlane(Nodes.one(3), Duration.ofMillis(50), abort);
    }

    @Test
    void aTimeoutSaysWhatThoseDoWhoAreMissing() {
        LocalControlPlane plane = plane(new AbortFlag());
        plane.ofRank(1).reportLaunches(_ -> new LaunchReport(7, 6, "", SUM, "", List.of()));
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class, () -> plane.ofRank(0).barrier("split"));
        assertEquals(List.of(1, 2), e.missingRanks());
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("split: rank 0 waited PT0.05S for ranks [1, 2], which did not arrive"), message);
        assertTrue(
                message.endsWith(
                        "; rank 1: last completed #6, " + SUM + ", last called #7; rank 2: has completed nothing"),
                message);
        assertEquals(Optional.empty(), plane.ofRank(0).openCall(), "it waits no more");
        message = String.valueOf(assertThrows(
                        OperationTimeoutException.class, () -> plane.ofRank(0).receive(1, "a handle"))
                .getMessage());
        assertTrue(message.endsWith("; rank 1: last completed #6, " + SUM + ", last called #7"), message);
    }

    /** What has ended the communicator says why, and nobody is asked any more. */
    @Test
    void theEndOfTheCommunicatorIsToldAsItIs() {
        AbortFlag abort = new AbortFlag();
        LocalControlPlane plane = plane(abort);
        plane.ofRank(1).reportLaunches(_ -> {
            throw new AssertionError("it is asked");
        });
        abort.expire("rank 0: launch #7 is late", List.of(1));
        for (Executable waiting : List.<Executable>of(
                () -> plane.ofRank(0).barrier("split"), () -> plane.ofRank(0).receive(1, "a handle"))) {
            OperationTimeoutException e = assertThrows(OperationTimeoutException.class, waiting);
            assertEquals(List.of(1), e.missingRanks());
            assertTrue(String.valueOf(e.getMessage()).endsWith("rank 0: launch #7 is late"), e::getMessage);
        }
    }

    @Test
    void whoWaitsSaysInWhat() throws Exception {
        AbortFlag abort = new AbortFlag();
        LocalControlPlane plane = plane(abort);
        ControlPlane waiting = plane.ofRank(1);
        assertEquals(Optional.empty(), waiting.openCall());
        Thread thread = Thread.ofPlatform()
                .start(() -> assertThrows(
                        RuntimeException.class, () -> waiting.barrier("prepare a plan", Duration.ofMinutes(1))));
        while (waiting.openCall().isEmpty()) {
            Thread.onSpinWait();
        }
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class, () -> plane.ofRank(0).receive(1, "a handle"));
        assertTrue(
                String.valueOf(e.getMessage())
                        .endsWith("; rank 1: has completed nothing, waits for other ranks (prepare a plan, for 0 s)"),
                e::getMessage);
        abort.set("enough");
        thread.join();
        assertEquals(Optional.empty(), waiting.openCall());
    }
}
