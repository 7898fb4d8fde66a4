package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.dump.CommunicatorIdentity;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.runtime.recorder.TestRecorders;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.Transfer;

/** When a replay by other software is late, of which nobody is told, on a clock that the test turns. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForeignLaunchWatchTest {
    private static final CommunicatorIdentity IDENTITY = new CommunicatorIdentity("world", "job", List.of(0, 1));
    private static final long LIMIT = Duration.ofSeconds(10).toNanos();
    private static final long HALF = LIMIT / 2;

    private final AbortFlag abort = new AbortFlag();
    private final LaunchOrder order = new LaunchOrder();
    private final FlightRecorder recorder = TestRecorders.at(0, 8, order, abort);
    private final Captured captured = new Captured();
    private final LocalControlPlane plane = new LocalControlPlane(Nodes.one(2), Duration.ofNanos(LIMIT), abort);
    private final ControlPlane control = plane.ofRank(0);

    /** A plan of which graphs have launches. */
    private static final class Captured implements RecordedOperation.Progress {
        private long atWork;
        private List<Integer> behind = List.of();
        private List<PendingTransfer> pending = List.of();
        private Runnable driver = () -> {};

        @Override
        public boolean isEnded(long number) {
            return false;
        }

        @Override
        public long atWork() {
            return atWork;
        }

        @Override
        public long ofAnybodyAtWork() {
            driver.run();
            return atWork;
        }

        @Override
        public List<Integer> behind() {
            return behind;
        }

        @Override
        public List<PendingTransfer> pendingOfReplay() {
            return pending;
        }
    }

    private RecordedOperation operation(String words, Optional<List<Transfer>> transfers) {
        return new RecordedOperation(
                new OperationDescription("allreduce", "float32", "sum", -1, 1024, false, "ring"),
                words,
                transfers,
                captured);
    }

    private RecordedOperation allreduce() {
        return operation("allreduce of 1024 bytes", Optional.empty());
    }

    private CommunicatorWatch watch(Optional<Duration> sinceEnqueue, Optional<Duration> sinceStart, Duration timeout) {
        plane.ofRank(1).reportLaunches(_ -> LaunchReport.of(0));
        return new CommunicatorWatch(
                IDENTITY,
                control,
                recorder,
                abort,
                new WatchdogLimits(sinceEnqueue, sinceStart),
                Runnable::run,
                timeout);
    }

    private CommunicatorWatch watch() {
        return watch(Optional.empty(), Optional.of(Duration.ofNanos(LIMIT)), TestRecorders.TIMEOUT);
    }

    @Test
    void whoIsBehindIsNamed() {
        CommunicatorWatch watch = watch();
        recorder.captured(allreduce(), 0);
        recorder.captured(operation("broadcast of 12 bytes", Optional.empty()), 0);
        captured.atWork = 3;
        captured.behind = List.of(1);
        watch.look(0);
        watch.look(LIMIT - 1);
        assertFalse(abort.isSet());
        watch.look(LIMIT);
        assertEquals(Optional.of(List.of(1)), abort.missingRanks());
        String reason = abort.reason().orElse("");
        assertTrue(reason.startsWith("world, rank 0: a launch by other software, of a graph with "), reason);
        assertTrue(reason.contains("allreduce of 1024 bytes"), reason);
        assertTrue(reason.contains("broadcast of 12 bytes"), reason);
        assertTrue(reason.contains("not ended after 10 s, counted from when it was seen at work"), reason);
        assertTrue(reason.contains("rank 1 has not begun it"), reason);
    }

    @Test
    void theShorterLimitHolds() {
        CommunicatorWatch watch = watch(
                Optional.of(Duration.ofNanos(LIMIT)), Optional.of(Duration.ofNanos(3 * LIMIT)), TestRecorders.TIMEOUT);
        recorder.captured(allreduce(), 0);
        captured.atWork = 1;
        watch.look(0);
        watch.look(LIMIT);
        assertTrue(abort.isSet(), "it was enqueued before it was at work");
    }

    @Test
    void nothingIsLateWithoutLimits() {
        CommunicatorWatch watch = watch(Optional.empty(), Optional.empty(), TestRecorders.TIMEOUT);
        recorder.captured(allreduce(), 0);
        captured.atWork = 1;
        watch.look(0);
        watch.look(Long.MAX_VALUE / 2);
        assertFalse(abort.isSet());
    }

    @Test
    void eachLaunchHasItsOwnTime() {
        CommunicatorWatch watch = watch();
        recorder.captured(allreduce(), 0);
        for (long launch = 1; launch < 10; launch++) {
            captured.atWork = launch;
            watch.look(launch * HALF);
        }
        captured.atWork = 0; // all have ended
        watch.look(10 * HALF);
        captured.atWork = 9;
        watch.look(11 * HALF);
        watch.look(12 * HALF);
        assertFalse(abort.isSet(), "it has not been seen at work for so long");
        watch.look(13 * HALF);
        assertTrue(abort.isSet());
    }

    @Test
    void whatIsGivenMoreTimeMayTakeIt() {
        CommunicatorWatch watch = watch();
        RecordedOperation slow = allreduce();
        recorder.captured(slow, 3 * LIMIT);
        recorder.captured(slow, 1);
        captured.atWork = 1;
        watch.look(0);
        watch.look(3 * LIMIT - 1);
        assertFalse(abort.isSet());
        watch.look(3 * LIMIT);
        assertTrue(abort.isSet());
    }

    /** Its own launches are watched by their numbers. */
    @Test
    void whatThisRankHasLaunchedIsNotForeign() {
        CommunicatorWatch watch = watch();
        RecordedOperation replayed = allreduce();
        recorder.captured(replayed, 0);
        captured.atWork = 1;
        watch.look(0);
        long ticket = order.take();
        recorder.launched(replayed, false, RecordedOperation.REPLAY, ticket, ticket, 100 * LIMIT);
        watch.look(HALF);
        watch.look(2 * LIMIT);
        assertFalse(abort.isSet(), "it may take longer");
        order.ended(ticket);
        watch.look(3 * LIMIT);
        assertFalse(abort.isSet(), "what is seen now is another launch");
        watch.look(4 * LIMIT);
        assertTrue(abort.isSet());
    }

    @Test
    void whatIsFreedIsNotLookedAt() {
        CommunicatorWatch watch = watch();
        RecordedOperation freed = allreduce();
        recorder.captured(freed, 0);
        captured.atWork = 1;
        watch.look(0);
        freed.end();
        captured.driver = () -> {
            throw new IllegalStateException("it is freed");
        };
        watch.look(LIMIT);
        assertFalse(abort.isSet());
    }

    @Test
    void messagesThatHaveNotMovedAreTold() {
        CommunicatorWatch watch = watch();
        recorder.captured(
                operation("send 4096 bytes to rank 1", Optional.of(List.of(new Transfer(true, 1, 0, 4096)))), 0);
        captured.atWork = 1;
        captured.pending = List.of(PendingTransfer.of(new Transfer(true, 1, 0, 4096), 3, 4));
        watch.look(0);
        watch.look(LIMIT);
        assertEquals(Optional.of(List.of(1)), abort.missingRanks());
        String reason = abort.reason().orElse("");
        assertTrue(reason.contains("of a graph with send 4096 bytes to rank 1: not ended"), reason);
        assertTrue(reason.contains("it could not send"), reason);
    }

    /** As while other software waits in the driver to launch more, because the queue is full. */
    @Test
    void aDriverThatDoesNotAnswerIsNoReasonToForget() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        CommunicatorWatch watch = watch(Optional.empty(), Optional.of(Duration.ofNanos(LIMIT)), Duration.ofMillis(50));
        recorder.captured(allreduce(), 0);
        captured.atWork = 1;
        while (!isSeen(watch)) { // a busy machine may answer later than this watch is patient
            Thread.onSpinWait();
        }
        captured.driver = () -> {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        try {
            watch.look(LIMIT);
            watch.look(3 * LIMIT);
            assertTrue(abort.isSet());
        } finally {
            over.countDown();
        }
    }

    private boolean isSeen(CommunicatorWatch watch) {
        watch.look(0);
        return recorder.foreignAtWork(Duration.ofMillis(50))
                .filter(all -> !all.isEmpty())
                .isPresent();
    }

    @Test
    void anAnswerWhileRanksAreAskedSavesTheCommunicator() {
        CommunicatorWatch watch = watch();
        recorder.captured(allreduce(), 0);
        captured.atWork = 1;
        watch.look(0);
        int[] asked = {0};
        captured.driver = () -> {
            if (++asked[0] == 2) { // when it is asked whether it is still at work
                captured.atWork = 0;
            }
        };
        watch.look(LIMIT);
        assertFalse(abort.isSet());
        assertEquals(2, asked[0]);
    }
}
