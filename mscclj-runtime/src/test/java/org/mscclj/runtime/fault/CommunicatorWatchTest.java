package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.Transfer;

/** When a launch is late, on a clock that the test turns. */
class CommunicatorWatchTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Nanoseconds after which a launch is late whose time the recorder knows to some milliseconds. */
    private static final long LATE = LIMIT.toNanos() + CommunicatorWatch.SLACK_NANOS;

    private final AbortFlag abort = new AbortFlag();
    private final LaunchOrder order = new LaunchOrder();
    private final FlightRecorder recorder = new FlightRecorder(8, order, abort);
    private final Engine engine = new Engine();
    private final LocalControlPlane plane = new LocalControlPlane(Nodes.one(2), LIMIT, abort);
    private final ControlPlane control = plane.ofRank(0);

    private static final class Engine implements RecordedOperation.Progress {
        private boolean underWay;

        @Override
        public boolean isEnded(long number) {
            return false;
        }

        @Override
        public boolean isUnderWay() {
            return underWay;
        }
    }

    private CommunicatorWatch watch(Optional<Duration> sinceEnqueue, Optional<Duration> sinceStart) {
        plane.ofRank(1).reportLaunches(_ -> LaunchReport.of(0));
        return new CommunicatorWatch("world", control, recorder, abort, new WatchdogLimits(sinceEnqueue, sinceStart));
    }

    private void sendTo(int peer) {
        RecordedOperation.Progress sending = new RecordedOperation.Progress() {
            @Override
            public boolean isEnded(long number) {
                return false;
            }

            @Override
            public boolean isUnderWay() {
                return true;
            }

            @Override
            public List<PendingTransfer> pending() {
                return List.of(PendingTransfer.of(new Transfer(true, peer, 0, 4096), 3, 4));
            }
        };
        order.countAlone(1);
        long number = order.take();
        recorder.enqueuedMessages(
                new RecordedOperation(
                        new OperationDescription("messages", "", "", -1, 4096, false, "point_to_point"),
                        "send 4096 bytes to rank " + peer,
                        sending),
                number);
    }

    @Test
    void messagesThatDoNotMoveAreLate() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        sendTo(1);
        launch(); // waits for its turn
        long now = System.nanoTime();
        watch.look(now);
        watch.look(now + LATE);
        assertTrue(abort.isSet());
        assertEquals(Optional.of(List.of(1)), abort.missingRanks());
        String reason = abort.reason().orElse("");
        assertTrue(
                reason.startsWith("world, rank 0: messages #1, send 4096 bytes to rank 1: not ended after PT10."),
                reason);
        assertTrue(reason.contains("it could not send 4096 bytes to rank 1 (3 of 4 chunks moved)"), reason);
        assertTrue(reason.contains("rank 1: has completed nothing"), reason);
    }

    private void launch() {
        RecordedOperation operation = new RecordedOperation(
                new OperationDescription("allreduce", "int8", "sum", -1, 64, true, "ring"), engine);
        recorder.enqueued(operation, 1, order.take());
    }

    @Test
    void lateIsWhatWasEnqueuedTooLongAgoAndSeenTwice() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch();
        long now = System.nanoTime();
        watch.look(now + LATE); // the process may have been stopped
        assertFalse(abort.isSet());
        watch.look(now + LIMIT.toNanos() / 2);
        assertFalse(abort.isSet());
        watch.look(now + LATE);
        assertTrue(abort.isSet());
        assertEquals(Optional.of(List.of(1)), abort.missingRanks());
        String reason = abort.reason().orElse("");
        assertTrue(
                reason.contains("launch #1, allreduce of 64 bytes int8, sum, in place, by ring: not ended after"),
                reason);
        assertTrue(reason.contains("rank 1: has completed nothing, has not called #1"), reason);
    }

    @Test
    void lateIsWhatBeganTooLongAgo() {
        CommunicatorWatch watch = watch(Optional.empty(), Optional.of(LIMIT));
        launch();
        long now = System.nanoTime();
        watch.look(now);
        watch.look(now + 3 * LIMIT.toNanos());
        engine.underWay = true;
        watch.look(now + 4 * LIMIT.toNanos());
        assertFalse(abort.isSet());
        watch.look(now + 5 * LIMIT.toNanos());
        assertTrue(abort.isSet());
        assertTrue(abort.reason().orElse("").contains("counted from when it began"));
    }

    @Test
    void whatEndsInTimeIsNotLate() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.of(LIMIT));
        long now = System.nanoTime();
        for (int i = 1; i <= 3; i++) {
            launch();
            watch.look(now + i * LIMIT.toNanos());
            order.ended(i);
            watch.look(now + i * LIMIT.toNanos() + 1);
        }
        assertFalse(abort.isSet());
    }

    @Test
    void replaysCountFromWhenTheyWereSeenFirst() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        long _ = order.take();
        long now = System.nanoTime() + 100 * LIMIT.toNanos();
        watch.look(now);
        watch.look(now + LIMIT.toNanos() - 1);
        assertFalse(abort.isSet());
        watch.look(now + LIMIT.toNanos());
        assertTrue(abort.isSet());
    }
}
