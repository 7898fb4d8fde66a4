package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** Several streams of one communicator, and streams whose work cannot go on. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamsTest {
    private static final ExecutionPlan PLAN = IntegerRanks.example("allreduce_packets_2ranks");
    private static final Duration SHORT = Duration.ofMillis(50);

    /** What rank 0 does while the stream given is held up by a launch that its peer has not made. */
    @FunctionalInterface
    private interface Blocked {
        void run(Communicator communicator, Stream blocked, Runnable unblock) throws Exception;
    }

    private static void whileBlocked(Blocked task) {
        try (LocalGroup group = IntegerRanks.open(2, ExecutorOptions.DEFAULT)) {
            CountDownLatch peerMayLaunch = new CountDownLatch(1);
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(1024);
                PreparedOperation operation = communicator.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32));
                if (communicator.rank() == 1) {
                    peerMayLaunch.await();
                    operation.run(IntegerRanks.LIMIT);
                } else {
                    operation.launch();
                    try {
                        task.run(communicator, communicator.stream(), peerMayLaunch::countDown);
                    } finally {
                        peerMayLaunch.countDown();
                    }
                    operation.join(IntegerRanks.LIMIT);
                }
                operation.close();
                buffer.close();
            });
        }
    }

    @Test
    void oneOperationMayBeLaunchedOnSeveralStreams() {
        int bursts = 400;
        int launches = 6;
        try (LocalGroup group = IntegerRanks.open(2, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(64 * 1024);
                try (Stream first = communicator.device().createStream();
                        Stream second = communicator.device().createStream();
                        PreparedOperation operation =
                                communicator.prepare(PlanCall.of(PLAN, buffer, buffer, DataType.INT32))) {
                    for (int burst = 0; burst < bursts; burst++) {
                        buffer.segment().fill((byte) 0);
                        buffer.segment().setAtIndex(ValueLayout.JAVA_INT, 77, communicator.rank() + 1);
                        for (int i = 0; i < launches; i++) {
                            operation.launch(i % 2 == 0 ? first : second);
                        }
                        operation.join(Duration.ofSeconds(10));
                        int expected = 3 << launches - 1;
                        assertEquals(expected, buffer.segment().getAtIndex(ValueLayout.JAVA_INT, 77), "burst " + burst);
                    }
                }
                communicator.barrier();
                buffer.close();
            });
        }
    }

    @Test
    void buffersOfACopyCannotBeFreedBeforeIt() {
        whileBlocked((communicator, blocked, unblock) -> {
            DeviceBuffer from = communicator.device().allocate(64);
            DeviceBuffer to = communicator.device().allocate(64);
            from.segment().fill((byte) 7);
            blocked.copy(from, to);
            assertThrows(InvalidArgumentException.class, from::close);
            assertThrows(InvalidArgumentException.class, to::close);
            unblock.run();
            blocked.synchronize(IntegerRanks.LIMIT);
            assertEquals(7, to.segment().get(ValueLayout.JAVA_BYTE, 63));
            from.close();
            to.close();
            assertThrows(InvalidArgumentException.class, () -> blocked.copy(from, to));
        });
    }

    @Test
    void anEventThatIsRecordedAgainElsewhereStillHoldsUpWhoAwaitedItsEarlierRecording() {
        whileBlocked((communicator, blocked, unblock) -> {
            Event event = communicator.device().createEvent();
            try (Stream other = communicator.device().createStream();
                    Stream awaiting = communicator.device().createStream()) {
                blocked.record(event);
                awaiting.await(event);
                other.record(event);
                other.synchronize(IntegerRanks.LIMIT);
                assertTrue(event.isReached());
                assertThrows(OperationTimeoutException.class, () -> awaiting.synchronize(SHORT));
                unblock.run();
                awaiting.synchronize(IntegerRanks.LIMIT);
            }
        });
    }

    @Test
    void anEventWhoseRecordingWasRefusedCountsAsNotRecorded() {
        whileBlocked((communicator, blocked, unblock) -> {
            Event event = communicator.device().createEvent();
            Stream closed = communicator.device().createStream();
            closed.close();
            assertThrows(InvalidArgumentException.class, () -> closed.record(event));
            assertTrue(event.isReached());
        });
    }

    @Test
    void anInterruptedSynchronizeSaysSo() {
        whileBlocked((communicator, blocked, unblock) -> {
            Thread.currentThread().interrupt();
            assertThrows(AbortedException.class, () -> blocked.synchronize(IntegerRanks.LIMIT));
            assertTrue(Thread.interrupted());
        });
    }

    @Test
    void aStreamThatManyThreadsFillLosesNothing() {
        int before = 900;
        int threads = 200;
        whileBlocked((communicator, blocked, unblock) -> {
            for (int i = 0; i < before; i++) {
                blocked.record(communicator.device().createEvent());
            }
            List<Thread> adding = new ArrayList<>();
            List<Event> events = new ArrayList<>();
            synchronized (blocked) { // so that all have looked for space before any takes it
                for (int i = 0; i < threads; i++) {
                    Event event = communicator.device().createEvent();
                    events.add(event);
                    adding.add(Thread.ofPlatform().start(() -> blocked.record(event)));
                }
                for (Thread thread : adding) {
                    while (thread.getState() != Thread.State.BLOCKED) {
                        Thread.yield();
                    }
                }
            }
            Thread.sleep(100);
            unblock.run();
            for (Thread thread : adding) {
                thread.join();
            }
            blocked.synchronize(Duration.ofSeconds(10));
            assertTrue(events.stream().allMatch(Event::isReached));
        });
    }
}
