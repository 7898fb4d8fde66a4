package org.mscclj.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.runtime.channel.ChannelPair.BYTES;
import static org.mscclj.runtime.channel.ChannelPair.DATA_BYTES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.channel.Channel;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.PacketType;
import org.mscclj.runtime.channel.ChannelPair.Side;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandMadeChannelsTest {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ChannelPair pair = new ChannelPair(LONG);
    private final Side zero = pair.side(0);
    private final Side one = pair.side(1);

    @AfterEach
    void close() {
        pair.close();
    }

    private static void fill(Side side, long seed) {
        for (long offset = 0; offset < DATA_BYTES; offset += 8) {
            side.buffer().segment().set(ValueLayout.JAVA_LONG, offset, seed + offset);
        }
    }

    private static void assertHolds(Side side, long offset, long bytes, long first) {
        MemorySegment memory = side.buffer().segment();
        for (long i = 0; i < bytes; i += 8) {
            assertEquals(first + i, memory.get(ValueLayout.JAVA_LONG, offset + i));
        }
    }

    private static Thread start(Runnable task) {
        return Thread.ofPlatform().daemon().start(task);
    }

    @Test
    void putThenSignalShowsTheDataToWhoWaits() throws InterruptedException {
        fill(zero, 1000);
        Thread peer = start(() -> {
            zero.memory().put(64, 0, 1024);
            zero.memory().signal();
        });
        one.memory().await(LONG);
        assertHolds(one, 64, 1024, 1000);
        peer.join();
    }

    @Test
    void streamsCopyIntoThePeersMemory() {
        fill(zero, 40);
        try (Stream stream = pair.group().communicator(0).device().createStream()) {
            stream.copy(zero.own().buffer().slice(0, 512), zero.peers().buffer().slice(64, 512));
            stream.synchronize(LONG);
        }
        assertHolds(one, 64, 512, 40);
        zero.peers().buffer().close(); // does nothing
        assertEquals(one.buffer().byteSize(), zero.peers().buffer().byteSize());
        zero.memory().close();
        zero.port().close();
        zero.peers().close();
        assertThrows(InvalidArgumentException.class, zero.peers()::buffer);
    }

    @Test
    void getReadAndWriteReachThePeersMemory() {
        fill(one, 5);
        zero.memory().get(128, 0, 256);
        assertHolds(zero, 0, 256, 5 + 128);
        assertEquals(5 + 8, zero.memory().read(8));
        zero.memory().write(16, 77);
        assertEquals(77, one.buffer().segment().get(ValueLayout.JAVA_LONG, 16));
    }

    @Test
    void everySignalIsAnsweredByOneWait() {
        assertFalse(one.memory().poll());
        zero.memory().signal();
        zero.memory().signalRelaxed();
        assertTrue(one.memory().poll());
        one.memory().await(SOON);
        assertFalse(one.memory().poll());
        assertFalse(zero.memory().poll());
    }

    @ParameterizedTest
    @EnumSource(PacketType.class)
    void packetsCarryTheirOwnNotification(PacketType type) throws InterruptedException {
        for (int flag = 1; flag < 50; flag++) {
            int current = flag;
            fill(zero, flag);
            Thread peer = start(() -> zero.memory().putPackets(DATA_BYTES, 8, 1024, current, type));
            one.memory().getPackets(0, 16, 1024, flag, type, LONG);
            assertHolds(one, 16, 1024, flag + 8);
            peer.join();
        }
    }

    @Test
    void thePortChannelMovesDataInOrder() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            fill(zero, round);
            Thread peer = start(() -> {
                zero.port().put(0, 0, 512);
                zero.port().putWithSignal(512, 512, 512);
                zero.port().flush(LONG);
            });
            one.port().await(LONG);
            assertHolds(one, 0, 1024, round);
            peer.join();
        }
        assertFalse(one.port().poll());
    }

    @Test
    void theOriginMayBeWrittenAgainAfterAFlush() {
        for (int round = 0; round < 100; round++) {
            fill(zero, round);
            zero.port().putWithSignalAndFlush(0, 0, DATA_BYTES, LONG);
            fill(zero, -1);
            one.port().await(LONG);
            assertHolds(one, 0, DATA_BYTES, round);
        }
    }

    @Test
    void manyMoreOperationsThanTheRingHasSlots() {
        for (int i = 0; i < 3000; i++) {
            zero.port().signal();
        }
        for (int i = 0; i < 3000; i++) {
            one.port().await(LONG);
        }
        assertFalse(one.port().poll());
    }

    @Test
    void nothingToMoveIsNoTransferButStillASignal() {
        zero.port().put(BYTES, BYTES, 0);
        zero.port().flush(LONG);
        zero.port().putWithSignalAndFlush(0, 0, 0, LONG);
        one.port().await(LONG);
        zero.memory().put(BYTES, 0, 0);
        zero.memory().putPackets(BYTES, 0, 0, 1, PacketType.LL8);
    }

    @Test
    void badArgumentsNameThemselvesAndChangeNothing() {
        MemoryChannel memory = zero.memory();
        PortChannel port = zero.port();
        refused("target offset is -8", () -> memory.put(-8, 0, 8));
        refused("target offset is 8185", () -> memory.put(8185, 0, 8));
        refused("origin offset is 9223372036854775807", () -> memory.put(0, Long.MAX_VALUE, 8));
        refused("bytes is -1", () -> memory.get(0, 0, -1));
        refused("bytes is 8193", () -> memory.get(0, 0, 8193));
        refused("target offset is 4", () -> memory.read(4));
        refused("target offset is 8192", () -> memory.write(8192, 0));
        refused("target offset is 8", () -> memory.putPackets(8, 0, 8, 1, PacketType.LL8));
        refused("bytes is 12", () -> memory.putPackets(0, 0, 12, 1, PacketType.LL8));
        refused("flag is 0", () -> memory.putPackets(0, 0, 8, 0, PacketType.LL8));
        refused("packets take twice the space", () -> memory.putPackets(0, 0, 4104, 1, PacketType.LL16));
        refused("packet memory", () -> memory.getPackets(0, 0, 2056, 1, PacketType.LL16, SOON));
        refused("bytes is 9223372036854775800", () -> memory.putPackets(0, 0, Long.MAX_VALUE - 7, 1, PacketType.LL8));
        refused("target offset is 8185", () -> port.put(8185, 0, 8));
        refused("origin offset is -1", () -> port.putWithSignal(0, -1, 8));
        refused("bytes is 8193", () -> port.putWithSignalAndFlush(0, 0, 8193, SOON));
        assertFalse(one.port().poll());
        port.putWithSignal(0, 0, 8);
        one.port().await(LONG);
    }

    private static void refused(String part, Executable call) {
        String message = assertThrows(InvalidArgumentException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }

    private static void nullIsRefused(String argument, Executable call) {
        assertEquals(argument, assertThrows(NullPointerException.class, call).getMessage());
    }

    private static <T> T nothing() {
        return new AtomicReference<T>().get();
    }

    @Test
    void nullIsRefusedByNameAndChangesNothing() {
        MemoryChannel memory = zero.memory();
        PortChannel port = zero.port();
        one.memory().signal(); // a wait that need not wait refuses it, too
        nullIsRefused("timeout", () -> memory.await(nothing()));
        memory.await(LONG);
        nullIsRefused("type", () -> memory.putPackets(0, 0, 8, 1, nothing()));
        nullIsRefused("type", () -> memory.getPackets(0, 0, 8, 1, nothing(), SOON));
        nullIsRefused("timeout", () -> memory.getPackets(0, 0, 8, 1, PacketType.LL8, nothing()));
        nullIsRefused("timeout", () -> port.await(nothing()));
        nullIsRefused("timeout", () -> port.flush(nothing()));
        nullIsRefused("timeout", () -> port.putWithSignalAndFlush(0, 0, 8, nothing()));
        port.putWithSignal(0, 0, 8);
        one.port().await(LONG);
        assertFalse(one.port().poll(), "the refused call has signalled");
    }

    @Test
    void aTimeoutNamesThePeer() {
        for (Executable wait : List.<Executable>of(
                () -> zero.memory().await(SOON),
                () -> zero.port().await(SOON),
                () -> zero.memory().getPackets(0, 0, 64, 9, PacketType.LL8, SOON))) {
            OperationTimeoutException e = assertThrows(OperationTimeoutException.class, wait);
            assertEquals(List.of(1), e.missingRanks());
            assertTrue(e.getMessage().contains("rank 1"), e.getMessage());
        }
        one.memory().signal();
        zero.memory().await(LONG); // a wait that timed out has not counted as one
    }

    @Test
    void packetsThatArriveInPartAreCounted() {
        one.memory().putPackets(DATA_BYTES, 0, 32, 3, PacketType.LL8);
        String message = assertThrows(
                        OperationTimeoutException.class,
                        () -> zero.memory().getPackets(0, 0, 64, 3, PacketType.LL8, SOON))
                .getMessage();
        assertTrue(message.contains("32 of 64 bytes"), message);
    }

    @Test
    void anAbortEndsEveryWait() throws InterruptedException {
        Thread aborter = start(() -> pair.group().abort("the test says so"));
        assertThrows(AbortedException.class, () -> zero.memory().await(LONG));
        assertThrows(AbortedException.class, () -> zero.port().await(LONG));
        aborter.join();
        assertThrows(AbortedException.class, () -> zero.port().signal());
    }

    @Test
    void partsAreNotClosedUnderThoseThatUseThem() {
        refused("is used by 2 channels", zero.own()::close);
        refused("is used by 2 channels", zero.peers()::close);
        refused("is used by 1 channels", zero.portSemaphore()::close);
        refused("is used by 1 semaphores", zero.portSemaphore().connection()::close);
        refused("in use by", zero.buffer()::close);
        zero.port().close();
        zero.port().close();
        refused("this channel is closed", () -> zero.port().signal());
        zero.portSemaphore().close();
        zero.portSemaphore().connection().close();
        zero.memory().close();
        refused("this channel is closed", () -> zero.memory().signal());
        zero.peers().close();
        zero.own().close();
        zero.own().close();
    }

    @Test
    void whatDoesNotFitTogetherIsRefused() {
        refused("already has", () -> zero.setup().portChannel(zero.portSemaphore(), zero.peers(), zero.own()));
        refused("kind MEMORY", () -> zero.setup().portChannel(zero.memorySemaphore(), zero.peers(), zero.own()));
        refused(
                "target is memory of rank 0",
                () -> zero.setup().memoryChannel(zero.memorySemaphore(), zero.own(), zero.own()));
        refused(
                "origin is memory of rank 1",
                () -> zero.setup().memoryChannel(zero.memorySemaphore(), zero.peers(), zero.peers()));
        refused("memory is memory of rank 1", () -> zero.setup().sendMemory(zero.peers(), 1, 0));
        refused("peer is 0", () -> zero.setup().connect(0, 0, ChannelKind.PORT));
        refused("peer is 2", () -> zero.setup().receiveMemory(2, 0));
    }

    @Test
    void transportsAreNamed() {
        assertEquals("mapped", zero.memorySemaphore().connection().transport());
        assertEquals("host", zero.portSemaphore().connection().transport());
        assertEquals(1, zero.portSemaphore().connection().peer());
    }

    @Test
    void kernelsCannotUseChannelsOfTheHost() {
        for (Channel channel : List.of(zero.memory(), zero.port())) {
            UnsupportedException e = assertThrows(UnsupportedException.class, channel::deviceHandle);
            assertTrue(String.valueOf(e.getMessage()).contains("DEVICE_CHANNELS"), e::getMessage);
        }
        assertThrows(
                UnsupportedException.class,
                () -> pair.group().communicator(0).device().compile("", "kernel"));
    }
}
