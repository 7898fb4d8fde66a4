package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.dump.CommunicatorIdentity;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.runtime.recorder.TestRecorders;
import org.mscclj.spi.engine.AbortCause;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.Transfer;

/** When a launch is late, on a clock that the test turns. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommunicatorWatchTest {
    private static final CommunicatorIdentity IDENTITY = new CommunicatorIdentity("world", "job", List.of(0, 1));
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Nanoseconds after which a launch is late whose time the recorder knows to some milliseconds. */
    private static final long LATE = LIMIT.toNanos() + CommunicatorWatch.SLACK_NANOS;

    /** When all launches are made. */
    private static final long NOW = Duration.ofHours(1).toNanos();

    private final AbortFlag abort = new AbortFlag();
    private final LaunchOrder order = new LaunchOrder();
    private final FlightRecorder recorder = TestRecorders.at(NOW, 8, order, abort);
    private final Engine engine = new Engine();
    private final LocalControlPlane plane = new LocalControlPlane(Nodes.one(2), LIMIT, abort);
    private final ControlPlane control = plane.ofRank(0);

    /** With the device. */
    private Duration timeout = TestRecorders.TIMEOUT;

    private static final class Engine implements RecordedOperation.Progress {
        private long begun;
        private Runnable driver = () -> {};

        @Override
        public boolean isEnded(long number) {
            return false;
        }

        @Override
        public long atWork() {
            driver.run();
            return begun;
        }
    }

    private CommunicatorWatch watch(Optional<Duration> sinceEnqueue, Optional<Duration> sinceStart) {
        plane.ofRank(1).reportLaunches(_ -> LaunchReport.of(0));
        return watch(recorder, new WatchdogLimits(sinceEnqueue, sinceStart));
    }

    private CommunicatorWatch watch(FlightRecorder ofLaunches, WatchdogLimits limits) {
        return new CommunicatorWatch(IDENTITY, control, ofLaunches, abort, limits, Runnable::run, timeout);
    }

    private void sendTo(int peer) {
        RecordedOperation.Progress sending = new RecordedOperation.Progress() {
            @Override
            public boolean isEnded(long number) {
                return false;
            }

            @Override
            public long atWork() {
                return 1;
            }

            @Override
            public List<PendingTransfer> pending() {
                return List.of(PendingTransfer.of(new Transfer(true, peer, 0, 4096), 3, 4));
            }
        };
        long number = order.takeAlone();
        recorder.enqueuedMessages(
                new RecordedOperation(
                        new OperationDescription("messages", "", "", -1, 4096, false, "point_to_point"),
                        "send 4096 bytes to rank " + peer,
                        Optional.empty(),
                        sending),
                number,
                order.alone(),
                order.shared(),
                0);
    }

    @Test
    void messagesThatDoNotMoveAreLate() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        sendTo(1);
        launch(); // waits for its turn
        watch.look(NOW);
        watch.look(NOW + LATE);
        assertTrue(abort.isSet());
        assertEquals(Optional.of(List.of(1)), abort.missingRanks());
        String reason = abort.reason().orElse("");
        assertTrue(
                reason.startsWith("world, rank 0: messages #1, send 4096 bytes to rank 1: not ended after 10."),
                reason);
        assertTrue(reason.contains("it could not send 4096 bytes to rank 1 (3 of 4 chunks moved)"), reason);
        assertTrue(reason.contains("rank 1: has completed nothing"), reason);
    }

    private void launch() {
        launch(0);
    }

    private void launch(long mayTakeNanos) {
        recorder.enqueued(operation(engine), 1, order.take(), mayTakeNanos);
    }

    private static RecordedOperation operation(Engine engine) {
        return new RecordedOperation(
                new OperationDescription("allreduce", "int8", "sum", -1, 64, true, "ring"), engine);
    }

    @Test
    void lateIsWhatWasEnqueuedTooLongAgoAndSeenTwice() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch();
        watch.look(NOW + LATE); // the process may have been stopped
        assertFalse(abort.isSet());
        watch.look(NOW + LIMIT.toNanos() / 2);
        assertFalse(abort.isSet());
        watch.look(NOW + LATE);
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
        watch.look(NOW);
        watch.look(NOW + 3 * LIMIT.toNanos());
        engine.begun = 1;
        watch.look(NOW + 4 * LIMIT.toNanos());
        assertFalse(abort.isSet());
        watch.look(NOW + 5 * LIMIT.toNanos());
        assertTrue(abort.isSet());
        assertTrue(abort.reason().orElse("").contains("counted from when it began"));
    }

    /** A round of an operation by itself is not the start of it. */
    @Test
    void roundsDoNotCountAnew() {
        CommunicatorWatch watch = watch(Optional.empty(), Optional.of(LIMIT));
        launch();
        watch.look(NOW);
        engine.begun = 7;
        watch.look(NOW + 1);
        engine.begun = 8;
        watch.look(NOW + LIMIT.toNanos());
        assertFalse(abort.isSet());
        watch.look(NOW + LIMIT.toNanos() + 1);
        assertTrue(abort.isSet());
    }

    /** Two of the same plan, as that counts, and one of another. */
    @Test
    void ofAGraphThatLaunchesSeveralEachCountsFromItsOwnStart() {
        CommunicatorWatch watch = watch(Optional.empty(), Optional.of(LIMIT));
        Engine other = new Engine();
        OperationDescription words = new OperationDescription("graph", "", "", -1, 0, true, "");
        RecordedOperation graph = RecordedOperation.together(
                words, words, () -> 1, List.of(operation(engine), operation(other), operation(engine)));
        recorder.enqueued(graph, RecordedOperation.REPLAY, order.take(), 0);
        watch.look(NOW);
        long now = NOW;
        for (int replayed = 0; replayed < 3; replayed++) {
            other.begun = replayed == 1 ? 5 : 0;
            engine.begun = replayed == 1 ? 0 : 5 + replayed;
            now += LIMIT.toNanos() - 1;
            watch.look(now);
            assertFalse(abort.isSet());
        }
        engine.begun = 0; // it does something else
        watch.look(now + LIMIT.toNanos());
        assertFalse(abort.isSet());
        engine.begun = 8;
        now += 2 * LIMIT.toNanos();
        watch.look(now);
        watch.look(now + LIMIT.toNanos() - 1);
        assertFalse(abort.isSet());
        watch.look(now + LIMIT.toNanos());
        assertTrue(abort.isSet());
        assertTrue(abort.reason().orElse("").contains("counted from when it began"));
    }

    @Test
    void whatEndsInTimeIsNotLate() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.of(LIMIT));
        for (int i = 1; i <= 3; i++) {
            launch();
            watch.look(NOW + i * LIMIT.toNanos());
            order.ended(i);
            watch.look(NOW + i * LIMIT.toNanos() + 1);
        }
        assertFalse(abort.isSet());
    }

    @Test
    void replaysCountFromWhenTheyWereSeenFirst() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        long _ = order.take();
        long now = NOW + 100 * LIMIT.toNanos();
        watch.look(now);
        watch.look(now + LIMIT.toNanos() - 1);
        assertFalse(abort.isSet());
        watch.look(now + LIMIT.toNanos());
        assertTrue(abort.isSet());
    }

    private CommunicatorWatch withoutARecorder() {
        plane.ofRank(1).reportLaunches(_ -> LaunchReport.of(0));
        return watch(new FlightRecorder(0, order, abort), new WatchdogLimits(Optional.of(LIMIT), Optional.empty()));
    }

    /** One send, and after that some launches are always in flight, each for a moment. */
    @Test
    void whatGoesOnIsNotLateWithoutARecorder() {
        CommunicatorWatch watch = withoutARecorder();
        order.ended(order.takeAlone());
        long now = 0;
        for (int i = 0; i < 5; i++) {
            order.take();
            order.take();
            watch.look(now += LIMIT.toNanos());
            order.ended(order.taken() - 1);
        }
        assertEquals(Optional.empty(), abort.reason());
    }

    @Test
    void ofVeryManyLaunchesNobodyIsLateWhileSomeEnd() {
        CommunicatorWatch watch = withoutARecorder();
        for (int i = 0; i < 10_000; i++) {
            order.takeAlone();
            order.take();
        }
        for (int i = 1; i < 5; i++) {
            order.ended(i);
            watch.look(i * LIMIT.toNanos());
        }
        assertEquals(Optional.empty(), abort.reason());
        watch.look(5 * LIMIT.toNanos());
        assertTrue(abort.isSet());
    }

    @Test
    void whatHangsIsLateWithoutARecorder() {
        CommunicatorWatch watch = withoutARecorder();
        order.ended(order.takeAlone());
        order.ended(order.take());
        order.take();
        watch.look(0);
        watch.look(LIMIT.toNanos() - 1);
        assertFalse(abort.isSet());
        watch.look(LIMIT.toNanos());
        String reason = abort.reason().orElse("");
        assertTrue(reason.startsWith("world, rank 0: launch #2: not ended after 10 s"), reason);
    }

    @Test
    void aDeviceThatFailsEndsTheCommunicator() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch();
        order.pollBy(() -> {
            throw new BackendException("cuEventQuery", 700, "CUDA_ERROR_ILLEGAL_ADDRESS");
        });
        watch.look(NOW);
        assertFalse(abort.isSet(), "what fails once may go on");
        watch.look(NOW);
        String reason = abort.reason().orElse("");
        assertTrue(reason.startsWith("world, rank 0: its device has failed: "), reason);
        assertEquals(Optional.of(AbortCause.FAILED), abort.cause());
        assertTrue(reason.contains("CUDA_ERROR_ILLEGAL_ADDRESS"), reason);
        BackendException thrown = assertInstanceOf(BackendException.class, abort.exception("allreduce"));
        assertEquals(700, thrown.code());
        assertEquals("CUDA_ERROR_ILLEGAL_ADDRESS", thrown.symbol());
    }

    private static void capturing() {
        throw new BackendException("cuEventRecord", 900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED");
    }

    /** It is asked twice in each: a capture at one moment spoils both. */
    @Test
    void aDeviceThatFailsInOneLookDoesNotEndTheCommunicator() {
        CommunicatorWatch watch = watch(Optional.empty(), Optional.of(LIMIT));
        launch();
        watch.look(NOW);
        order.pollBy(CommunicatorWatchTest::capturing);
        engine.driver = CommunicatorWatchTest::capturing;
        watch.look(NOW);
        assertEquals(Optional.empty(), abort.reason());
        watch.look(NOW);
        assertTrue(abort.isSet());
    }

    @Test
    void aDeviceThatAnswersAnotherQuestionHasFailedNevertheless() {
        CommunicatorWatch watch = watch(Optional.empty(), Optional.of(LIMIT));
        launch();
        watch.look(NOW);
        order.pollBy(CommunicatorWatchTest::capturing);
        watch.look(NOW);
        assertFalse(abort.isSet());
        watch.look(NOW);
        assertTrue(abort.isSet());
    }

    @Test
    void aDeviceThatFailsNowAndThenDoesNot() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch();
        for (int i = 0; i < 5; i++) {
            order.pollBy(CommunicatorWatchTest::capturing);
            watch.look(NOW);
            order.pollBy(() -> {});
            watch.look(NOW);
        }
        assertFalse(abort.isSet());
    }

    @Test
    void aLaunchIsLateThoughLookingFails() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch();
        order.pollBy(() -> {
            throw new IllegalStateException("a look that fails on purpose");
        });
        watch.look(NOW);
        watch.look(NOW + LIMIT.toNanos() / 2);
        assertFalse(abort.isSet());
        watch.look(NOW + LATE);
        assertEquals(Optional.of(List.of(1)), abort.missingRanks());
    }

    @Test
    void aLaunchIsLateThoughALookNeverReturns() {
        timeout = Duration.ofMillis(10);
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.of(LIMIT.dividedBy(2)));
        launch();
        CountDownLatch over = new CountDownLatch(1);
        order.pollBy(() -> uninterruptibly(over));
        try {
            watch.look(NOW);
            watch.look(NOW + LATE);
            assertEquals(Optional.of(List.of(1)), abort.missingRanks());
        } finally {
            over.countDown();
        }
    }

    /** Each rank that is asked answers when all have been asked. */
    @Test
    void allThatAreLateAskAtTheSameTime() throws InterruptedException {
        int communicators = 3;
        CountDownLatch asked = new CountDownLatch(communicators);
        CountDownLatch aborted = new CountDownLatch(communicators);
        for (int i = 0; i < communicators; i++) {
            AbortFlag flag = new AbortFlag();
            flag.whenSet(aborted::countDown);
            LaunchOrder launches = new LaunchOrder();
            LocalControlPlane ranks = new LocalControlPlane(Nodes.one(2), LIMIT, flag);
            ranks.ofRank(1).reportLaunches(_ -> {
                asked.countDown();
                uninterruptibly(asked);
                return LaunchReport.of(0);
            });
            CommunicatorWatch watch = new CommunicatorWatch(
                    IDENTITY,
                    ranks.ofRank(0),
                    new FlightRecorder(8, launches, flag),
                    flag,
                    new WatchdogLimits(Optional.of(LIMIT), Optional.empty()));
            launches.take();
            watch.look(0);
            watch.look(LIMIT.toNanos());
        }
        aborted.await();
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLaunchMayTakeAsLongAsItWasGiven() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch(5 * LIMIT.toNanos());
        watch.look(NOW);
        watch.look(NOW + 5 * LIMIT.toNanos() - LIMIT.toNanos() / 2);
        assertFalse(abort.isSet());
        watch.look(NOW + 4 * LIMIT.toNanos() + LATE);
        assertTrue(abort.isSet());
    }

    @Test
    void aLaunchMayTakeAsLongAsItWasGivenSinceItBegan() {
        CommunicatorWatch watch = watch(Optional.empty(), Optional.of(LIMIT));
        launch(5 * LIMIT.toNanos());
        engine.begun = 1;
        watch.look(NOW);
        watch.look(NOW);
        watch.look(NOW + 2 * LIMIT.toNanos());
        assertFalse(abort.isSet());
        watch.look(NOW + 5 * LIMIT.toNanos());
        assertTrue(abort.isSet());
    }

    @Test
    void lessTimeThanOthersHaveChangesNothing() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch(1);
        watch.look(NOW);
        watch.look(NOW + LIMIT.toNanos() / 2);
        assertFalse(abort.isSet());
        watch.look(NOW + LATE);
        assertTrue(abort.isSet());
    }

    @Test
    void launchesAfterOneThatWasGivenMoreAreNotSpared() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch(100 * LIMIT.toNanos());
        watch.look(NOW);
        order.ended(1);
        watch.look(NOW);
        launch();
        watch.look(NOW);
        watch.look(NOW + LATE);
        assertTrue(abort.isSet());
    }

    /** Both were enqueued at once, and the second could not begin before the first had ended. */
    @Test
    void launchesBehindOneThatWasGivenMoreCountFromItsEnd() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch(100 * LIMIT.toNanos());
        launch();
        launch();
        watch.look(NOW);
        watch.look(NOW + 50 * LIMIT.toNanos());
        order.ended(1);
        long ended = NOW + 50 * LIMIT.toNanos() + 1;
        watch.look(ended);
        watch.look(ended + LIMIT.toNanos() / 2);
        assertFalse(abort.isSet());
        order.ended(2);
        watch.look(ended + LIMIT.toNanos() / 2 + 1);
        watch.look(ended + LIMIT.toNanos() - 1);
        assertFalse(abort.isSet());
        watch.look(ended + LATE);
        assertTrue(abort.isSet());
        assertTrue(abort.reason().orElse("").contains("launch #3"), abort.reason()::toString);
    }

    /** The recorder of eight keeps no more of the first. */
    @Test
    void aLaunchThatIsForgottenMayTakeAsLongAsAnyWasGiven() {
        CommunicatorWatch watch = watch(Optional.of(LIMIT), Optional.empty());
        launch(5 * LIMIT.toNanos());
        for (int i = 0; i < 8; i++) {
            launch();
        }
        watch.look(NOW);
        watch.look(NOW + 4 * LIMIT.toNanos());
        assertFalse(abort.isSet());
        watch.look(NOW + 5 * LIMIT.toNanos());
        assertTrue(abort.isSet());
    }
}
