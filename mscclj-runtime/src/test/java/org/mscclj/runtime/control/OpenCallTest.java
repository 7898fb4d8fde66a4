package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.time.RunningDeadline;
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
        plane.ofRank(1).reportLaunches(_ -> new LaunchReport(7, 6, "".hashCode(), "", SUM, "", List.of()));
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class, () -> plane.ofRank(0).barrier(Topic.named("split")));
        assertEquals(List.of(2), e.missingRanks(), "rank 1 waits for launch #7, which rank 2 has not made");
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("split: rank 0 waited 50 ms for ranks [1, 2], which did not arrive"), message);
        assertTrue(
                message.endsWith(
                        "; rank 1: last completed #6, " + SUM + ", last called #7; rank 2: has completed nothing;"
                                + " ranks [2] keep the others waiting, as far as is known"),
                message);
        assertEquals(Optional.empty(), plane.ofRank(0).openCall(), "it waits no more");
        message = String.valueOf(assertThrows(
                        OperationTimeoutException.class, () -> plane.ofRank(0).receive(1, Topic.named("a handle")))
                .getMessage());
        assertTrue(message.contains("; rank 1: last completed #6, " + SUM + ", last called #7; "), message);
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
                () -> plane.ofRank(0).barrier(Topic.named("split")),
                () -> plane.ofRank(0).receive(1, Topic.named("a handle")))) {
            OperationTimeoutException e = assertThrows(OperationTimeoutException.class, waiting);
            assertEquals(List.of(1), e.missingRanks());
            assertTrue(String.valueOf(e.getMessage()).endsWith("rank 0: launch #7 is late"), e::getMessage);
        }
    }

    /** What the first call has used up the second does not get again. */
    @Test
    void callsOfOneScopeShareADeadline() {
        ControlPlane first = plane(new AbortFlag()).ofRank(0);
        try (CallScope _ = first.within(RunningDeadline.after(Duration.ofMillis(20)))) {
            for (int call = 0; call < 2; call++) {
                assertTrue(timedOut(first).startsWith("prepare: rank 0 waited 20 ms for ranks [1, 2]"));
                assertEquals(Duration.ZERO, first.timeLeft());
            }
        }
        assertEquals(Duration.ofMillis(50), first.timeLeft());
    }

    /** Words that say more, and limits, may differ between ranks; calls are compared by what is equal on all. */
    @Test
    void aScopeSaysForWhatAndForHowLong() throws Exception {
        LocalControlPlane plane = plane(new AbortFlag());
        ControlPlane first = plane.ofRank(0);
        try (CallScope _ = first.during(SUM, Optional.of(Duration.ofMillis(20)))) {
            try (CallScope _ = first.during("a part", Optional.of(Duration.ofMillis(10)))) {
                assertTrue(timedOut(first).startsWith("prepare (a part): rank 0 waited 10 ms for ranks [1, 2]"));
            }
            assertTrue(timedOut(first).startsWith("prepare (" + SUM + "): rank 0 waited 20 ms for ranks [1, 2]"));
        }
        assertTrue(timedOut(first).startsWith("prepare: rank 0 waited 50 ms for ranks [1, 2]"));
        try (CallScope _ = first.during(SUM, Optional.of(Duration.ofMinutes(1)))) {
            Thread thread = Thread.ofPlatform().start(() -> first.barrier(Topic.named("prepare")));
            while (first.openCall().isEmpty()) {
                Thread.onSpinWait();
            }
            assertEquals("prepare (" + SUM + ")", first.openCall().orElseThrow().what());
            LockSupport.parkNanos(Duration.ofMillis(150).toNanos()); // far longer than the plane's timeout
            ControlPlane other = plane.ofRank(1);
            CallScope _ = other.during("something else", Optional.of(Duration.ofMinutes(1)));
            Thread third = Thread.ofPlatform().start(() -> {
                ControlPlane last = plane.ofRank(2);
                CallScope _ = last.during("", Optional.of(Duration.ofMinutes(1)));
                last.barrier(Topic.named("prepare"));
            });
            other.barrier(Topic.named("prepare"));
            thread.join();
            third.join();
            assertEquals(Optional.empty(), first.openCall());
        }
    }

    private static String timedOut(ControlPlane plane) {
        return String.valueOf(assertThrows(OperationTimeoutException.class, () -> plane.barrier(Topic.named("prepare")))
                .getMessage());
    }

    @Test
    void whoWaitsSaysInWhat() throws Exception {
        AbortFlag abort = new AbortFlag();
        LocalControlPlane plane = plane(abort);
        ControlPlane waiting = plane.ofRank(1);
        assertEquals(Optional.empty(), waiting.openCall());
        Thread thread = Thread.ofPlatform()
                .start(() -> assertThrows(
                        RuntimeException.class,
                        () -> waiting.barrier(Topic.named("prepare a plan"), Duration.ofMinutes(1))));
        while (waiting.openCall().isEmpty()) {
            Thread.onSpinWait();
        }
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class, () -> plane.ofRank(0).receive(1, Topic.named("a handle")));
        assertEquals(List.of(2), e.missingRanks(), "rank 1 waits itself, for rank 2");
        assertTrue(
                String.valueOf(e.getMessage())
                        .contains("; rank 1: has completed nothing, waits for other ranks (prepare a plan, for 0 s); "),
                e::getMessage);
        abort.set("enough");
        thread.join();
        assertEquals(Optional.empty(), waiting.openCall());
    }
}
