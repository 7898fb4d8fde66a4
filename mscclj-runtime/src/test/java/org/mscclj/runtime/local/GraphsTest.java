package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** Recorded sequences on the CPU backend. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GraphsTest {
    private static final int ROUNDS = 20;

    private static void onRanks(int ranks, LocalGroup.RankTask task) {
        try (LocalGroup group = IntegerRanks.open(ranks, ExecutorOptions.DEFAULT)) {
            group.run(task);
        }
    }

    private static void set(DeviceBuffer buffer, int value) {
        buffer.segment().set(ValueLayout.JAVA_INT, 0, value);
    }

    private static int get(DeviceBuffer buffer) {
        return buffer.segment().get(ValueLayout.JAVA_INT, 0);
    }

    private static Communicator second(Communicator communicator) {
        return communicator
                .split(IntStream.range(0, communicator.size()).boxed().toList(), "second")
                .orElseThrow();
    }

    @Test
    void whatIsCapturedIsNotCarriedOut() {
        onRanks(2, communicator -> {
            Stream stream = communicator.stream();
            try (DeviceBuffer buffer = communicator.allocate(64);
                    DeviceBuffer copy = communicator.device().allocate(64)) {
                set(buffer, 1);
                Graph graph = stream.capture(() -> {
                    Work work = communicator.execute(CollectiveCall.allReduce(buffer, DataType.INT32));
                    assertEquals(0, work.sequence());
                    work.join();
                    stream.copy(buffer, copy);
                });
                stream.synchronize(IntegerRanks.LIMIT);
                assertEquals(1, get(buffer));
                assertEquals(0, get(copy));
                for (int replays = 1; replays <= 3; replays++) {
                    graph.launch(stream);
                    stream.synchronize(IntegerRanks.LIMIT);
                    assertEquals(1 << replays, get(buffer));
                    assertEquals(1 << replays, get(copy));
                }
                graph.close();
                graph.close();
                assertThrows(InvalidArgumentException.class, () -> graph.launch(stream));
            }
        });
    }

    /** It is no launch, so nothing may be taken for its end: not that of a launch before. */
    @Test
    void whatIsCapturedNeverEnds() {
        onRanks(2, communicator -> {
            Stream stream = communicator.stream();
            try (DeviceBuffer buffer = communicator.allocate(64);
                    Stream other = communicator.device().createStream()) {
                CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.INT32);
                communicator.execute(call).join();
                Work[] works = new Work[2];
                try (Graph graph = stream.capture(() -> {
                    works[0] = communicator.execute(call);
                    works[1] = communicator.execute(TransferCall.batch()
                            .send(buffer.slice(0, 16), 1 - communicator.rank())
                            .receive(buffer.slice(16, 16), 1 - communicator.rank()));
                    assertThrows(InvalidArgumentException.class, works[0]::isCompleted);
                    assertThrows(InvalidArgumentException.class, () -> works[0].await(other));
                })) {
                    for (Work work : works) {
                        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, work::join);
                        assertTrue(e.getMessage().contains("wait for the stream on which"), e.getMessage());
                        assertThrows(InvalidArgumentException.class, () -> work.join(IntegerRanks.LIMIT));
                        assertThrows(InvalidArgumentException.class, work::isCompleted);
                        assertThrows(InvalidArgumentException.class, () -> work.await(stream));
                        ExecutionException failed = assertThrows(
                                ExecutionException.class,
                                () -> work.toCompletableFuture().get());
                        assertInstanceOf(InvalidArgumentException.class, failed.getCause());
                    }
                    graph.launch(stream);
                    stream.synchronize(IntegerRanks.LIMIT);
                }
            }
        });
    }

    /** Two branches that copy in turns: without the events inside the graph the result would be another. */
    @Test
    void branchesAreJoinedByEventsInEveryReplay() {
        onRanks(1, communicator -> {
            Stream main = communicator.stream();
            try (Stream branch = communicator.device().createStream();
                    Event forked = communicator.device().createEvent();
                    Event joined = communicator.device().createEvent();
                    DeviceBuffer one = communicator.device().allocate(1 << 20);
                    DeviceBuffer two = communicator.device().allocate(1 << 20);
                    DeviceBuffer three = communicator.device().allocate(1 << 20);
                    DeviceBuffer four = communicator.device().allocate(1 << 20);
                    Graph graph = main.capture(() -> {
                        main.copy(one, two);
                        main.record(forked);
                        branch.await(forked);
                        branch.copy(two, three);
                        branch.record(joined);
                        main.await(joined);
                        main.copy(three, four);
                    })) {
                for (int round = 1; round <= ROUNDS; round++) {
                    set(one, round);
                    graph.launch(round % 2 == 0 ? main : branch);
                    graph.launch(main);
                    main.synchronize(IntegerRanks.LIMIT);
                    assertEquals(round, get(four));
                }
                assertThrows(InvalidArgumentException.class, two::close);
                assertThrows(InvalidArgumentException.class, joined::isReached);
                assertThrows(InvalidArgumentException.class, () -> branch.await(forked));
                branch.record(forked);
                branch.await(forked);
                branch.synchronize(IntegerRanks.LIMIT);
                assertTrue(forked.isReached());
            }
        });
    }

    @Test
    void messagesAreReplayed() {
        onRanks(3, communicator -> {
            int next = (communicator.rank() + 1) % 3;
            int before = (communicator.rank() + 2) % 3;
            Stream stream = communicator.stream();
            try (DeviceBuffer sent = communicator.device().allocate(1 << 20);
                    DeviceBuffer received = communicator.device().allocate(1 << 20);
                    PreparedOperation prepared = communicator.prepare(
                            TransferCall.batch().send(sent, next).receive(received, before));
                    Graph graph = stream.capture(() -> {
                        prepared.launch(stream);
                        communicator.execute(
                                TransferCall.batch().send(sent, next).receive(received, before));
                    })) {
                for (int round = 0; round < ROUNDS; round++) {
                    set(sent, 3 * round + communicator.rank());
                    set(received, -1);
                    if (round % 3 == 2) {
                        prepared.run(IntegerRanks.LIMIT);
                    } else {
                        graph.launch(stream);
                        stream.synchronize(IntegerRanks.LIMIT);
                    }
                    assertEquals(3 * round + before, get(received));
                }
            }
        });
    }

    /** Many replays in flight, between launches by themselves, on several streams: each doubles the sum. */
    @Test
    void replaysAndLaunchesRunInTheirOrder() {
        onRanks(2, communicator -> {
            try (DeviceBuffer buffer = communicator.allocate(4096);
                    Stream other = communicator.device().createStream();
                    PreparedOperation operation =
                            communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                    Graph graph = other.capture(() -> {
                        operation.launch(other);
                        operation.launch(other);
                    })) {
                for (int round = 0; round < ROUNDS; round++) {
                    set(buffer, 1);
                    for (int i = 0; i < 5; i++) {
                        graph.launch(i % 2 == 0 ? other : communicator.stream());
                        operation.launch();
                    }
                    graph.launch(other);
                    operation.join(IntegerRanks.LIMIT);
                    other.synchronize(IntegerRanks.LIMIT);
                    communicator.stream().synchronize(IntegerRanks.LIMIT);
                    assertEquals(1 << 17, get(buffer));
                }
            }
        });
    }

    /**
     * Threads that launch graphs of two communicators in opposite orders, beside launches by themselves: nothing waits
     * in a circle.
     */
    @Test
    void graphsOfSeveralCommunicatorsNeverWaitForEachOther() {
        onRanks(1, one -> {
            try (Communicator two = second(one);
                    DeviceBuffer buffer = one.allocate(64);
                    Stream first = one.device().createStream();
                    Stream other = one.device().createStream();
                    PreparedOperation ofOne = one.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                    PreparedOperation ofTwo = two.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                    Graph forwards = first.capture(() -> {
                        ofOne.launch(first);
                        ofTwo.launch(first);
                        ofOne.launch(first);
                    });
                    Graph backwards = other.capture(() -> {
                        ofTwo.launch(other);
                        ofOne.launch(other);
                        ofTwo.launch(other);
                    })) {
                Thread thread = Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        backwards.launch(other);
                    }
                });
                for (int i = 0; i < 2_000; i++) {
                    forwards.launch(first);
                    ofTwo.launch(first);
                }
                thread.join();
                first.synchronize(IntegerRanks.LIMIT);
                other.synchronize(IntegerRanks.LIMIT);
            }
        });
    }

    @Test
    void aGraphOfTwoCommunicatorsIsRefusedWhenOneIsClosed() {
        onRanks(2, one -> {
            Communicator two = second(one);
            Stream stream = one.stream();
            try (DeviceBuffer buffer = one.allocate(64);
                    PreparedOperation ofTwo = two.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                    Graph graph = stream.capture(() -> {
                        one.execute(CollectiveCall.allReduce(buffer, DataType.INT32));
                        ofTwo.launch(stream);
                    })) {
                graph.launch(stream);
                two.close();
                InvalidArgumentException refused =
                        assertThrows(InvalidArgumentException.class, () -> graph.launch(stream));
                assertTrue(refused.getMessage().contains("closed"), refused.getMessage());
                one.execute(CollectiveCall.allReduce(buffer, DataType.INT32)).join();
            }
        });
    }

    @Test
    void anAbortEndsReplays() {
        try (LocalGroup group = IntegerRanks.open(2, ExecutorOptions.DEFAULT)) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(64);
                Stream stream = communicator.stream();
                PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                Graph graph = stream.capture(() -> operation.launch(stream));
                communicator.barrier();
                if (communicator.rank() == 0) {
                    graph.launch(stream); // alone
                    graph.launch(stream);
                    communicator.abort("a test");
                    stream.synchronize(IntegerRanks.LIMIT);
                    assertThrows(AbortedException.class, () -> graph.launch(stream));
                }
                graph.close();
            });
        }
    }

    /** The sequence numbers that a hook is told. */
    private static final class Numbers implements CommunicatorHook {
        private final List<Long> replays = Collections.synchronizedList(new ArrayList<>());
        private final List<Long> launches = new ArrayList<>();

        @Override
        public void onReplay(long sequence) {
            replays.add(sequence);
        }

        @Override
        public void afterOperation(OperationDescription operation, long sequence) {
            launches.add(sequence);
        }
    }

    @Test
    void hooksAreToldOfReplays() {
        onRanks(2, communicator -> {
            Numbers told = new Numbers();
            Stream stream = communicator.stream();
            try (DeviceBuffer buffer = communicator.allocate(64);
                    PreparedOperation operation =
                            communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                    HookRegistration _ = communicator.addHook(told);
                    Graph graph = stream.capture(() -> {
                        operation.launch(stream);
                        operation.launch(stream);
                    })) {
                operation.launch();
                graph.launch(stream);
                operation.launch();
                graph.launch(stream);
                stream.synchronize(IntegerRanks.LIMIT);
                assertEquals(List.of(0L, 0L, 1L, 4L), told.launches);
                assertEquals(List.of(2L, 5L), told.replays);
            }
        });
    }

    /** Rank 0 sends in the graph, and rank 1 does not: both are told the same numbers. */
    @Test
    void replaysHaveTheSameNumbersOnAllRanks() {
        onRanks(2, communicator -> {
            Numbers told = new Numbers();
            Stream stream = communicator.stream();
            try (DeviceBuffer buffer = communicator.allocate(64);
                    PreparedOperation sum = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                    Graph graph = stream.capture(() -> {
                        if (communicator.rank() == 0) {
                            communicator.send(buffer, 1);
                        }
                        sum.launch(stream);
                    });
                    HookRegistration _ = communicator.addHook(told)) {
                for (int i = 0; i < 3; i++) {
                    Work message =
                            communicator.rank() == 0 ? communicator.send(buffer, 1) : communicator.receive(buffer, 0);
                    message.join();
                }
                sum.launch();
                graph.launch(stream);
                if (communicator.rank() == 1) {
                    communicator.receive(buffer, 0).join();
                }
                sum.launch();
                stream.synchronize(IntegerRanks.LIMIT);
                assertEquals(
                        communicator.rank() == 0 ? List.of(0L, 0L, 0L, 1L, 3L) : List.of(0L, 0L, 0L, 1L, 2L, 3L),
                        told.launches);
                assertEquals(List.of(2L), told.replays);
            }
        });
    }

    @Test
    void whatAGraphUsesIsKept() {
        onRanks(2, communicator -> {
            DeviceBuffer buffer = communicator.allocate(64);
            Stream stream = communicator.stream();
            PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
            Graph graph = stream.capture(() -> operation.launch(stream));
            operation.close();
            assertThrows(InvalidArgumentException.class, () -> operation.launch(stream));
            assertThrows(InvalidArgumentException.class, buffer::close);
            set(buffer, 3);
            graph.launch(stream);
            graph.close(); // the replay may still be under way
            stream.synchronize(IntegerRanks.LIMIT);
            assertEquals(6, get(buffer));
            buffer.close();
            communicator.barrier();
        });
    }

    @Test
    void whatFailsInACaptureLeavesNothingBehind() {
        onRanks(1, communicator -> {
            Stream stream = communicator.stream();
            try (DeviceBuffer buffer = communicator.allocate(64);
                    Stream branch = communicator.device().createStream();
                    Event event = communicator.device().createEvent();
                    Event before = communicator.device().createEvent()) {
                PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT32));
                stream.record(before);
                Graph empty = stream.capture(() -> {});
                assertRefused(
                        stream,
                        () -> operation.launch(stream),
                        "waited for",
                        () -> stream.synchronize(IntegerRanks.LIMIT));
                assertRefused(stream, () -> operation.launch(stream), "closed", stream::close);
                assertRefused(
                        stream, () -> stream.copy(buffer, buffer), "captured again", () -> stream.capture(() -> {}));
                assertRefused(stream, () -> {}, "being captured", () -> empty.launch(stream));
                assertRefused(stream, () -> {}, "before the capture", () -> stream.await(before));
                assertRefused(stream, () -> stream.record(event), "joined back", () -> {
                    stream.copy(buffer, buffer);
                    stream.record(event);
                    branch.await(event);
                });
                assertRefused(stream, () -> {}, "another thread", () -> inAnotherThread(() -> stream.record(event)));
                IllegalStateException own = new IllegalStateException("mine");
                assertEquals(
                        own,
                        assertThrows(
                                IllegalStateException.class,
                                () -> stream.capture(() -> {
                                    operation.launch(stream);
                                    throw own;
                                })));
                for (Stream free : List.of(stream, branch)) {
                    free.record(event);
                    free.synchronize(IntegerRanks.LIMIT);
                }
                empty.launch(stream);
                empty.close();
                operation.close();
            } // nothing keeps the buffer
        });
    }

    private static void assertRefused(Stream stream, Runnable first, String why, Runnable refused) {
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class,
                () -> stream.capture(() -> {
                    first.run();
                    refused.run();
                }));
        assertTrue(e.getMessage().contains(why), e.getMessage());
        assertFalse(e.getMessage().contains("null"));
    }

    private static void inAnotherThread(Runnable task) {
        List<Optional<RuntimeException>> thrown = new ArrayList<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                task.run();
                thrown.add(Optional.empty());
            } catch (RuntimeException e) {
                thrown.add(Optional.of(e));
            }
        });
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        thrown.getFirst().ifPresent(e -> {
            throw e;
        });
    }
}
