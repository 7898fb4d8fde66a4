package org.mscclj.runtime.recorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlightRecorderTest {
    private final LaunchOrder order = new LaunchOrder();
    private final AbortFlag abort = new AbortFlag();
    private final FlightRecorder recorder = TestRecorders.patient(4, order, abort);
    private final Engine engine = new Engine();
    private final RecordedOperation operation = new RecordedOperation(
            new OperationDescription("allreduce", "float16", "sum", -1, 1 << 20, true, "ring"), engine);

    /** An engine that says what a test wants. */
    private static final class Engine implements RecordedOperation.Progress {
        private final Set<Long> ended = new HashSet<>();
        private boolean underWay;
        private Runnable driver = () -> {};

        @Override
        public boolean isEnded(long number) {
            return ended.contains(number);
        }

        @Override
        public long atWork() {
            driver.run();
            return underWay ? 1 : 0;
        }
    }

    private void launch(int times) {
        for (int i = 0; i < times; i++) {
            long ticket = order.take();
            recorder.enqueued(operation, ticket, order.shared(), 0);
        }
    }

    private List<LaunchState> states() {
        return states(recorder);
    }

    private static List<LaunchState> states(FlightRecorder recorder) {
        return recorder.launches().stream().map(RecordedLaunch::state).toList();
    }

    @Test
    void theLastLaunchesAreKept() {
        launch(7);
        assertEquals(
                List.of(4L, 5L, 6L, 7L),
                recorder.launches().stream().map(RecordedLaunch::sequence).toList());
        assertEquals(Optional.of("allreduce of 1 MiB float16, sum, in place, by ring"), recorder.describe(5));
        assertEquals(Optional.empty(), recorder.describe(3));
        assertEquals(Optional.empty(), recorder.describe(8));
    }

    @Test
    void whoLooksSeesHowFarLaunchesAre() {
        launch(3);
        assertEquals(List.of(LaunchState.ENQUEUED, LaunchState.ENQUEUED, LaunchState.ENQUEUED), states());
        engine.ended.add(1L); // and the order does not know yet
        engine.underWay = true;
        assertEquals(1, recorder.ended());
        assertEquals(List.of(LaunchState.COMPLETED, LaunchState.STARTED, LaunchState.ENQUEUED), states());
        RecordedLaunch second = recorder.launches().get(1);
        assertTrue(second.seenStarted().isPresent());
        assertFalse(second.seenEnded().isPresent());
        order.ended(3);
        assertEquals(List.of(LaunchState.COMPLETED, LaunchState.COMPLETED, LaunchState.COMPLETED), states());
        assertEquals(second.seenStarted(), recorder.launches().get(1).seenStarted());
    }

    @Test
    void launchesOfOperationsThatAreFreedHaveEnded() {
        launch(2);
        engine.underWay = true;
        operation.end();
        assertEquals(List.of(LaunchState.COMPLETED, LaunchState.COMPLETED), states());
    }

    @Test
    void whatHadNotEndedBeforeAnAbortHasFailed() {
        launch(2);
        engine.ended.add(1L);
        abort.set("on purpose");
        engine.ended.add(2L);
        assertEquals(List.of(LaunchState.COMPLETED, LaunchState.FAILED), states());
    }

    @Test
    void replaysLeaveGaps() {
        launch(1);
        long _ = order.take();
        launch(1);
        assertEquals(
                List.of(1L, 3L),
                recorder.launches().stream().map(RecordedLaunch::sequence).toList());
        engine.ended.add(3L);
        assertEquals(3, recorder.ended());
    }

    @Test
    void nothingIsKeptWhenItIsOff() {
        FlightRecorder off = new FlightRecorder(0, order, abort);
        off.enqueued(operation, 1, order.take(), 7);
        assertEquals(7, off.mayTakeNanos(new LaunchPlace(false, 1)));
        assertFalse(off.isOn());
        assertEquals(List.of(), off.launches());
        assertEquals(Optional.empty(), off.describe(1));
        assertEquals(0, off.ended());
    }

    /** Each slot has three operations in turn, and the writer goes on until enough entries were read whole. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whoReadsWhileOthersWriteSeesWholeEntries() throws InterruptedException {
        RecordedOperation[] operations = new RecordedOperation[3];
        Arrays.setAll(operations, _ -> new RecordedOperation(operation.description(), engine));
        LaunchRing ring = new LaunchRing(2);
        AtomicLong reached = new AtomicLong();
        AtomicBoolean enough = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> {
            for (long i = 1; !enough.getOpaque(); i++) {
                ring.put(i, operations[(int) (i % 3)], i, 3 * i, -i, 2 * i);
                reached.setOpaque(i);
            }
        });
        try {
            for (int whole = 0; whole < 20_000; ) {
                long sequence = reached.getOpaque() + whole % 2; // the last one, or the one that is being written
                LaunchRing.Slot slot = ring.get(sequence);
                if (slot != null) {
                    whole++;
                    assertSame(operations[(int) (sequence % 3)], slot.operation());
                    assertEquals(sequence, slot.number());
                    assertEquals(3 * sequence, slot.shared());
                    assertEquals(-sequence, slot.enqueuedNanos());
                    assertEquals(2 * sequence, slot.mayTakeNanos());
                }
            }
        } finally {
            enough.set(true);
            writer.join();
        }
    }

    @Test
    void thePropertyComesBeforeTheVariable() {
        assertEquals(2_000, RecorderSize.of(null, Map.of()));
        assertEquals(5, RecorderSize.of(null, Map.of(RecorderSize.VARIABLE, "5")));
        assertEquals(0, RecorderSize.of("0", Map.of(RecorderSize.VARIABLE, "5")));
        assertEquals(2_000, RecorderSize.of(null, Map.of(RecorderSize.VARIABLE, " ")));
        for (String bad : List.of("-1", "many", "")) {
            InvalidArgumentException e =
                    assertThrows(InvalidArgumentException.class, () -> RecorderSize.of(bad, Map.of()));
            assertTrue(String.valueOf(e.getMessage()).contains(RecorderSize.PROPERTY), e::getMessage);
        }
    }

    private void send() {
        long number = order.takeAlone();
        recorder.enqueuedMessages(operation, number, order.alone(), order.shared(), 0);
    }

    private List<String> places() {
        return recorder.launches().stream()
                .map(launch -> launch.place() + " " + launch.state())
                .toList();
    }

    @Test
    void messagesHaveNumbersOfTheirOwnAndKeepTheirPlace() {
        launch(1);
        send();
        send();
        order.take(); // a replay
        launch(1);
        assertEquals(3, recorder.taken());
        assertEquals(
                List.of("launch #1 ENQUEUED", "messages #1 ENQUEUED", "messages #2 ENQUEUED", "launch #3 ENQUEUED"),
                places());
        assertEquals(Optional.of(new LaunchPlace(false, 1)), recorder.firstInFlight());
        engine.ended.add(1L);
        engine.underWay = true;
        assertEquals(Optional.of(new LaunchPlace(true, 1)), recorder.firstInFlight());
        assertEquals(Optional.of(operation.describe()), recorder.describe(new LaunchPlace(true, 1)));
        assertEquals(
                List.of("launch #1 COMPLETED", "messages #1 STARTED", "messages #2 ENQUEUED", "launch #3 ENQUEUED"),
                places());
        engine.ended.add(3L); // the second messages
        assertEquals(Optional.of(new LaunchPlace(false, 2)), recorder.firstInFlight());
        abort.set("on purpose");
        order.ended(5);
        assertEquals(
                List.of("launch #1 COMPLETED", "messages #1 COMPLETED", "messages #2 COMPLETED", "launch #3 FAILED"),
                places());
        assertEquals(Optional.empty(), recorder.firstInFlight());
    }

    /** As where the launch waits for a rank that never comes, and the graph for the launch. */
    @Test
    void messagesOfGraphsKeepTheirPlace() {
        launch(1);
        order.takeAlone(); // a replay
        launch(1);
        order.takeAlone();
        assertEquals(Optional.of(new LaunchPlace(false, 1)), recorder.firstInFlight());
        order.ended(1);
        assertEquals(Optional.of(new LaunchPlace(true, 1)), recorder.firstInFlight());
        order.ended(2);
        assertEquals(Optional.of(new LaunchPlace(false, 2)), recorder.firstInFlight());
        engine.ended.add(3L); // its ticket
        assertEquals(Optional.of(new LaunchPlace(true, 2)), recorder.firstInFlight());
        assertEquals(Optional.empty(), recorder.pending(new LaunchPlace(true, 2)));
        order.ended(4);
        assertEquals(Optional.empty(), recorder.firstInFlight());
    }

    @Test
    void messagesThatAreForgottenHaveEndedWhenTheOrderSaysSo() {
        for (int i = 0; i < 6; i++) {
            send();
        }
        assertEquals(0, recorder.taken());
        assertEquals(
                List.of(3L, 4L, 5L, 6L),
                recorder.launches().stream().map(RecordedLaunch::sequence).toList());
        assertEquals(Optional.of(new LaunchPlace(true, 1)), recorder.firstInFlight());
        order.ended(6);
        assertEquals(Optional.empty(), recorder.firstInFlight());
    }

    @Test
    void aDriverThatFailsLeavesUnknownHowFarALaunchIs() {
        launch(3);
        engine.ended.add(1L);
        engine.driver = () -> {
            throw new BackendException("cuMemcpyDtoHAsync", 700, "CUDA_ERROR_ILLEGAL_ADDRESS");
        };
        assertEquals(List.of(LaunchState.COMPLETED, LaunchState.UNKNOWN, LaunchState.ENQUEUED), states());
        String why = recorder.launches().get(1).unknown().orElse("");
        assertTrue(why.contains("CUDA_ERROR_ILLEGAL_ADDRESS"), why);
        engine.driver = () -> {};
        engine.underWay = true;
        assertEquals(List.of(LaunchState.COMPLETED, LaunchState.STARTED, LaunchState.ENQUEUED), states());
    }

    @Test
    void nobodyWaitsForADriverThatDoesNotAnswer() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        engine.driver = () -> {
            asked.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        FlightRecorder hasty = TestRecorders.with(Duration.ofMillis(10), 4, order, abort);
        for (int i = 0; i < 2; i++) {
            long ticket = order.take();
            hasty.enqueued(operation, ticket, order.shared(), 0);
        }
        try {
            assertEquals(List.of(LaunchState.UNKNOWN, LaunchState.ENQUEUED), states(hasty));
            asked.await(); // and from here on somebody is stuck
            assertEquals(
                    "its device does not answer",
                    hasty.launches().getFirst().unknown().orElse(""));
            assertEquals(Optional.of(List.of()), hasty.pending(new LaunchPlace(false, 1)), "takes no driver");
            engine.ended.add(1L);
            assertEquals(1, hasty.ended());
            abort.set("on purpose"); // which notes what has ended
            assertEquals(List.of(LaunchState.COMPLETED, LaunchState.FAILED), states(hasty));
        } finally {
            over.countDown();
        }
    }

    @Test
    void whatIsMadeAfterAStopHasNotWaitedForIt() {
        CoarseClock clock = new CoarseClock();
        FlightRecorder kept = new FlightRecorder(4, order, abort, clock, TestRecorders.TIMEOUT);
        long _ = clock.nanoTime();
        clock.tick(1_000);
        kept.enqueued(operation, 1, order.take(), 0);
        clock.tick(1_000_000);
        kept.enqueued(operation, 2, order.take(), 0);
        clock.tick(5_000_000_000L);
        kept.enqueued(operation, 3, order.take(), 0);
        assertEquals(Optional.of(1_000L), kept.enqueuedNanos(new LaunchPlace(false, 1)));
        assertEquals(
                Optional.of(5_000_000_000L),
                kept.enqueuedNanos(new LaunchPlace(false, 2)),
                "it may have been made after the process went on, before the time did");
        assertEquals(Optional.of(5_000_000_000L), kept.enqueuedNanos(new LaunchPlace(false, 3)));
    }
}
