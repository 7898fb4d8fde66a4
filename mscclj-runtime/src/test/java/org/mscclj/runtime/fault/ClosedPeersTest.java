package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;

/** Ranks 0 and 1 wait for rank 2, which closes its communicator. Their timeout is ten minutes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosedPeersTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final long SMALL = 64;

    /** More than all slots of a lane. */
    private static final long LARGE = 16 << 20;

    /** Busy machines included; without news of the closing it would be ten minutes. */
    private static final Duration SOON = Duration.ofSeconds(10);

    /** A wait for rank 2. */
    private enum Wait {
        RECEIVE((c, w) -> c.receive(c.device().allocate(SMALL), 2)),
        SEND((c, w) -> c.send(c.device().allocate(LARGE), 2)),
        BATCH((c, w) -> c.execute(new TransferCall(List.of(
                receive(c.device().allocate(SMALL), 2), receive(c.device().allocate(SMALL), 1 - c.rank()))))),
        SIGNAL((c, w) -> w.waitSignal(2)),
        MESSAGE_BEHIND_ANOTHER((c, w) -> {
            Work _ = c.receive(c.device().allocate(SMALL), 2);
            return c.receive(c.device().allocate(SMALL), 1 - c.rank());
        }),
        COLLECTIVE_BEHIND_A_MESSAGE((c, w) -> {
            DeviceBuffer buffer = c.device().allocate(SMALL);
            CollectiveCall sum = CollectiveCall.allReduce(buffer, DataType.INT32);
            Work _ = c.receive(c.device().allocate(SMALL), 2);
            return c.execute(sum);
        });

        private final BiFunction<Communicator, Window, Work> begin;

        Wait(BiFunction<Communicator, Window, Work> begin) {
            this.begin = begin;
        }
    }

    private static TransferCall.Message receive(DeviceBuffer buffer, int peer) {
        return new TransferCall.Message(false, buffer, peer);
    }

    /** What one rank does with a communicator that its last rank closes. */
    @FunctionalInterface
    private interface Task {
        void run(Communicator communicator) throws Exception;
    }

    /** Runs ranks 0 and 1, which close after that; rank 2 closes at once. */
    private static void run(int ranksPerNode, OptionalInt recorderEntries, Task setUp, Task task) {
        LocalGroupOptions options = LocalGroupOptions.ranks(3)
                .ranksPerNode(ranksPerNode)
                .backend("host")
                .timeout(LONG);
        try (LocalGroup group = LocalGroup.open(
                recorderEntries.isPresent() ? options.recorderEntries(recorderEntries.getAsInt()) : options)) {
            group.run(world -> {
                try (Communicator child = world.split(List.of(0, 1, 2), "child").orElseThrow()) {
                    setUp.run(child);
                    world.barrier();
                    if (child.rank() < 2) {
                        task.run(child);
                    }
                }
            });
        }
    }

    private static void requireTold(Executable wait) {
        long start = System.nanoTime();
        RankLostException e = assertThrows(RankLostException.class, wait);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertEquals(2, e.rank(), e::getMessage);
        assertTrue(String.valueOf(e.getMessage()).contains("rank 2 has closed its communicator"), e::getMessage);
        assertTrue(took.compareTo(SOON) < 0, () -> "heard after " + took);
    }

    private static void requireTold(Wait wait, int ranksPerNode, OptionalInt recorderEntries) {
        Window[] windows = new Window[2];
        CyclicBarrier told = new CyclicBarrier(2);
        run(
                ranksPerNode,
                recorderEntries,
                child -> {
                    DeviceBuffer buffer = child.device().allocate(SMALL);
                    Window window = child.openWindow(buffer);
                    if (child.rank() < 2) {
                        windows[child.rank()] = window;
                    }
                    child.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM)
                            .join();
                },
                child -> {
                    Work work = wait.begin.apply(child, windows[child.rank()]);
                    requireTold(work::join);
                    requireTold(() -> {
                        try {
                            work.toCompletableFuture().join();
                        } catch (CompletionException e) {
                            throw Objects.requireNonNull(e.getCause());
                        }
                    });
                    assertFalse(child.isAborted());
                    told.await(SOON.toSeconds(), TimeUnit.SECONDS); // closing with a launch in flight aborts
                });
    }

    @ParameterizedTest
    @EnumSource
    void whatWaitsOnOneNodeIsTold(Wait wait) {
        requireTold(wait, 3, OptionalInt.empty());
    }

    @ParameterizedTest
    @EnumSource(names = {"RECEIVE", "SIGNAL"})
    void whatWaitsBetweenNodesIsTold(Wait wait) {
        requireTold(wait, 1, OptionalInt.empty());
    }

    @ParameterizedTest
    @EnumSource(names = {"RECEIVE", "SEND", "BATCH", "SIGNAL"})
    void whatWaitsWithoutARecorderIsTold(Wait wait) {
        requireTold(wait, 3, OptionalInt.of(0));
    }

    @Test
    void whoLooksForNanIsTold() {
        run(3, OptionalInt.empty(), _ -> {}, child -> {
            Work _ = child.receive(child.device().allocate(SMALL), 2);
            DeviceBuffer floats = child.device().allocate(SMALL);
            TransferCall call = new TransferCall(List.of(new TransferCall.Message(true, floats, 1 - child.rank())))
                    .type(DataType.FLOAT32)
                    .options(CallOptions.NONE.hint("mscclj::nan_check", "true"));
            requireTold(() -> child.execute(call));
        });
    }

    /** The waits of channels that are made by hand. */
    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "PORT"})
    void channelsAreTold(ChannelKind kind) {
        Executable[] waits = new Executable[2];
        run(
                3,
                OptionalInt.empty(),
                child -> {
                    DeviceBuffer buffer = child.device().allocate(SMALL);
                    ChannelSetup setup = child.channels();
                    RegisteredMemory own = setup.register(buffer);
                    int peer = child.rank() == 2 ? 0 : 2;
                    if (child.rank() != 1) {
                        setup.sendMemory(own, peer, 7);
                        RegisteredMemory theirs = setup.receiveMemory(peer, 7);
                        Semaphore semaphore = setup.createSemaphore(setup.connect(peer, 0, kind), 0);
                        if (kind == ChannelKind.MEMORY) {
                            MemoryChannel channel = setup.memoryChannel(semaphore, theirs, own, own);
                            channel.signal();
                            waits[0] = child.rank() == 0 ? () -> channel.await(LONG) : waits[0];
                            waits[1] = child.rank() == 0
                                    ? () -> channel.getPackets(0, 0, 8, 1, PacketType.LL8, LONG)
                                    : waits[1];
                        } else {
                            PortChannel channel = setup.portChannel(semaphore, theirs, own);
                            channel.signal();
                            waits[0] = child.rank() == 0 ? () -> channel.await(LONG) : waits[0];
                        }
                    }
                },
                child -> {
                    if (child.rank() == 0) {
                        assertDoesNotThrow(waits[0]); // what rank 2 has signalled before it closed
                        requireTold(waits[0]);
                        if (waits[1] != null) {
                            requireTold(waits[1]);
                        }
                    }
                });
    }

    /** Asks why waits have ended until there is a reason, which comes some time after the closing. */
    private static void requireToldInTheEnd(Runnable check) throws InterruptedException {
        long start = System.nanoTime();
        boolean told = false;
        while (!told) {
            try {
                check.run();
                assertTrue(System.nanoTime() - start < SOON.toNanos(), "nothing was told");
                Thread.sleep(1);
            } catch (RankLostException _) {
                told = true;
            }
        }
        requireTold(check::run);
    }

    /** Why waits of kernels end is told of the rank that has closed, and of no other. */
    @Test
    void channelsAndWindowsTellWhyWaitsEnd() {
        List<Runnable> checks = new CopyOnWriteArrayList<>();
        List<Runnable> ofOthers = new CopyOnWriteArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        run(
                3,
                OptionalInt.empty(),
                child -> {
                    DeviceBuffer buffer = child.device().allocate(SMALL);
                    Window window = child.openWindow(buffer);
                    SortedMap<Integer, MemoryChannel> memory = child.channels().memoryChannels(buffer, 0);
                    SortedMap<Integer, PortChannel> port = child.channels().portChannels(buffer, 0);
                    if (child.rank() == 0) {
                        checks.addAll(List.of(
                                () -> window.checkWaits(2), memory.get(2)::checkWaits, port.get(2)::checkWaits));
                        ofOthers.addAll(List.of(
                                () -> window.checkWaits(1), memory.get(1)::checkWaits, port.get(1)::checkWaits));
                    }
                },
                child -> {
                    if (child.rank() == 1) {
                        assertTrue(over.await(SOON.toSeconds(), TimeUnit.SECONDS)); // rank 1 has not closed yet
                        return;
                    }
                    try {
                        for (Runnable check : checks) {
                            requireToldInTheEnd(check);
                        }
                        ofOthers.forEach(check -> assertDoesNotThrow(check::run));
                        assertFalse(child.isAborted());
                    } finally {
                        over.countDown();
                    }
                });
    }

    /** What a rank has sent before it closed arrives, however late it is received. */
    @ParameterizedTest
    @ValueSource(ints = {3, 1})
    void whatWasSentBeforeArrives(int ranksPerNode) {
        run(
                ranksPerNode,
                OptionalInt.empty(),
                child -> {
                    if (child.rank() == 2) {
                        DeviceBuffer buffer = child.device().allocate(SMALL);
                        buffer.segment().fill((byte) 7);
                        child.send(buffer, 0).join();
                        child.send(buffer, 1).join();
                    }
                },
                child -> {
                    Thread.sleep(1_500); // longer than a rank looks for who has closed
                    DeviceBuffer buffer = child.device().allocate(SMALL);
                    child.receive(buffer, 2).join();
                    assertEquals(7, buffer.segment().get(ValueLayout.JAVA_BYTE, SMALL - 1));
                });
    }
}
