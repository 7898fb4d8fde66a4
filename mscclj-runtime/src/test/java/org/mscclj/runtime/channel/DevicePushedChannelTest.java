package org.mscclj.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.control.ClosedPeer;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.proxy.FaultHandler;
import org.mscclj.runtime.proxy.HostRank;
import org.mscclj.runtime.transport.RankLinks;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.PortChannelSpec;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.proxy.Trigger;

/** Port channels into which both threads of the host and kernels push. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DevicePushedChannelTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int BYTES = 1024;
    private static final int ROUNDS = 50;

    private final AbortFlag abort = new AbortFlag();
    private final Backend backend = HostRank.openBackend();
    private final List<BackendDevice> hosts = List.of(backend.openDevice(0), backend.openDevice(1));
    private final PushingDevice pushing = new PushingDevice(hosts.getFirst());
    private final LocalControlPlane control = new LocalControlPlane(Nodes.blocks(2, 2), LIMIT, abort);
    private final CyclicBarrier meeting = new CyclicBarrier(2);
    private final CompletableFuture<RankLinks> pushingLinks = new CompletableFuture<>();

    @AfterEach
    void close() {
        hosts.forEach(BackendDevice::close);
        backend.close();
    }

    /** What a rank does with its channel and its memory. */
    @FunctionalInterface
    private interface Use {
        void use(PortChannel channel, DeviceBuffer memory) throws Exception;
    }

    /** Rank 0 pushes from its device, rank 1 is of the host. */
    private void run(Use zero, Use one) throws Exception {
        RankThreads.run(2, rank -> {
            BackendDevice device = rank == 0 ? pushing.device() : hosts.get(1);
            try (RankLinks links = new RankLinks("rank " + rank, device, LIMIT, abort, FaultHandler.of(abort));
                    RankChannels channels = new RankChannels(
                            new ChannelEnvironment(control.ofRank(rank), device, links, abort, LIMIT));
                    DeviceBuffer memory = device.allocate(BYTES);
                    RegisteredMemory own = channels.register(memory)) {
                channels.sendMemory(own, 1 - rank, 0);
                try (RegisteredMemory target = channels.receiveMemory(1 - rank, 0);
                        Connection connection = channels.connect(1 - rank, 0, ChannelKind.PORT);
                        Semaphore semaphore = channels.createSemaphore(connection, 0);
                        PortChannel channel = channels.portChannel(semaphore, target, own)) {
                    if (rank == 0) {
                        pushingLinks.complete(links);
                    }
                    (rank == 0 ? zero : one).use(channel, memory);
                    meeting.await();
                }
            }
        });
    }

    @Test
    void kernelsPutSignalAndFlush() throws Exception {
        run(
                (channel, memory) -> {
                    assertEquals(PushingDevice.HANDLE, channel.deviceHandle());
                    assertEquals(PushingDevice.HANDLE, channel.deviceHandle());
                    assertEquals(1, pushing.specs().size());
                    PortChannelSpec spec = pushing.specs().getFirst();
                    assertTrue(spec.fifo().isPushedByDevice());
                    assertEquals(BYTES, spec.originBytes());
                    assertEquals(BYTES, spec.targetBytes());
                    for (int round = 1; round <= ROUNDS; round++) {
                        memory.segment().set(ValueLayout.JAVA_LONG, 0, round);
                        pushing.push(spec, Trigger.DATA, 0, 8L * round, 8);
                        long position = pushing.push(spec, Trigger.SIGNAL | Trigger.FLUSH, 0, 0, 0);
                        pushing.awaitFlushed(spec, position);
                    }
                },
                (channel, memory) -> {
                    for (int round = 1; round <= ROUNDS; round++) {
                        channel.await(LIMIT);
                        assertEquals(round, memory.segment().get(ValueLayout.JAVA_LONG, 8L * round));
                    }
                });
        assertEquals(1, pushing.closedHandles());
    }

    @Test
    void threadsOfTheHostPushIntoTheSameChannel() throws Exception {
        run(
                (channel, memory) -> {
                    channel.deviceHandle();
                    PortChannelSpec spec = pushing.specs().getFirst();
                    for (int round = 1; round <= ROUNDS; round++) {
                        memory.segment().set(ValueLayout.JAVA_LONG, 8, round);
                        channel.putWithSignal(8, 8, 8);
                        pushing.push(spec, Trigger.SIGNAL, 0, 0, 0);
                        channel.flush(LIMIT);
                    }
                },
                (channel, memory) -> {
                    for (int signal = 0; signal < 2 * ROUNDS; signal++) {
                        channel.await(LIMIT);
                    }
                    assertEquals(ROUNDS, memory.segment().get(ValueLayout.JAVA_LONG, 8));
                });
    }

    @Test
    void drainingCarriesOutWhatKernelsHavePushedAndNobodyAwaits() throws Exception {
        run(
                (channel, memory) -> {
                    channel.deviceHandle();
                    PortChannelSpec spec = pushing.specs().getFirst();
                    for (int round = 1; round <= ROUNDS; round++) {
                        memory.segment().set(ValueLayout.JAVA_LONG, 8L * round, round);
                        pushing.push(spec, Trigger.DATA, 8L * round, 8L * round, 8);
                    }
                    pushingLinks.join().drain();
                    meeting.await();
                },
                (channel, memory) -> {
                    meeting.await();
                    for (int round = 1; round <= ROUNDS; round++) {
                        assertEquals(round, memory.segment().get(ValueLayout.JAVA_LONG, 8L * round));
                    }
                });
    }

    @Test
    void afterThatOnlyKernelsWait() throws Exception {
        run(
                (channel, memory) -> {
                    channel.await(LIMIT);
                    channel.await(LIMIT);
                    channel.deviceHandle();
                    assertEquals(2, pushing.specs().getFirst().awaited());
                    assertThrows(InvalidArgumentException.class, channel::poll);
                    assertThrows(InvalidArgumentException.class, () -> channel.await(LIMIT));
                    channel.close();
                    assertThrows(InvalidArgumentException.class, channel::deviceHandle);
                },
                (channel, memory) -> {
                    channel.signal();
                    channel.signal();
                });
    }

    @Test
    void theWordOfAPeerIsSetSomeTimeAfterItHasClosed() throws Exception {
        run(
                (channel, memory) -> {
                    channel.deviceHandle();
                    AbortFlag peerEnd = pushing.specs().getFirst().peerEnd();
                    CompletableFuture<Long> set = new CompletableFuture<>();
                    peerEnd.whenSet(() -> set.complete(System.nanoTime()));
                    channel.checkWaits(); // nothing has ended them
                    long start = System.nanoTime();
                    control.depart(1);
                    long nanos = set.get(LIMIT.toSeconds(), TimeUnit.SECONDS) - start;
                    assertTrue(nanos >= ClosedPeer.graceNanos(control.ofRank(0), 1), () -> "after " + nanos + " ns");
                    RankLostException e = assertThrows(RankLostException.class, channel::checkWaits);
                    assertEquals(1, e.rank());
                    assertTrue(
                            String.valueOf(e.getMessage()).contains("rank 1 has closed its communicator"),
                            e::getMessage);
                    assertFalse(abort.isSet());
                    channel.close();
                    assertThrows(InvalidArgumentException.class, channel::checkWaits);
                },
                (channel, memory) -> {});
    }

    @Test
    void anAbortSetsTheWordsOfAllPeersAtOnce() throws Exception {
        run(
                (channel, memory) -> {
                    channel.deviceHandle();
                    abort.set("on purpose");
                    assertTrue(pushing.specs().getFirst().peerEnd().isSet());
                    AbortedException e = assertThrows(AbortedException.class, channel::checkWaits);
                    assertTrue(String.valueOf(e.getMessage()).contains("on purpose"), e::getMessage);
                },
                (channel, memory) -> {});
    }
}
