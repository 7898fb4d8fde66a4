package org.mscclj.runtime.staging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;

/** Two ranks write to each other's memory by way of pinned memory over TCP. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StagedTransportTest {
    private static final int BYTES = 1 << 20;

    /** Where data begins: behind the counter. */
    private static final int DATA = 64;

    private StagedSide left;
    private StagedSide right;

    @BeforeEach
    void connect() {
        connect(UnaryOperator.identity());
    }

    private void connect(UnaryOperator<Transport> changes) {
        List<StagedSide> sides = StagedSide.pair(BYTES, changes);
        left = sides.getFirst();
        right = sides.getLast();
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private static byte[] content(DeviceBuffer buffer) {
        byte[] content = new byte[(int) buffer.byteSize() - DATA];
        MemorySegment.copy(buffer.segment(), ValueLayout.JAVA_BYTE, DATA, content, 0, content.length);
        return content;
    }

    /** Writes any ranges, and keeps what the peer must have. Sizes below, at and above a slot; the seed is printed. */
    private static byte[] writeAnything(StagedSide side, long seed) {
        Random random = new Random(seed);
        byte[] expected = new byte[BYTES - DATA];
        long last = 0;
        try (DeviceBuffer source = side.device.allocate(BYTES);
                LocalMemory registered = side.transport.register(source)) {
            byte[] bytes = new byte[BYTES];
            random.nextBytes(bytes);
            source.copyFrom(MemorySegment.ofArray(bytes));
            for (int i = 0; i < 200; i++) {
                int most = random.nextInt(8) == 0 ? BYTES / 2 : random.nextInt(2) == 0 ? 200_000 : 300;
                int size = random.nextInt(most);
                int from = random.nextInt(BYTES - size);
                int to = random.nextInt(BYTES - DATA - size);
                last = side.connection.write(registered, from, side.peer, DATA + to, size);
                System.arraycopy(bytes, from, expected, to, size);
                if (random.nextInt(4) == 0) {
                    last = side.connection.signal(side.peer, 0);
                }
            }
            last = side.connection.signal(side.peer, 0);
            side.awaitCompleted(last);
        }
        return expected;
    }

    @Test
    void writesOfAnySizeArriveInOrderInBothDirections() {
        long seed = new Random().nextLong();
        CompletableFuture<byte[]> toLeft = CompletableFuture.supplyAsync(() -> writeAnything(right, seed + 1));
        byte[] toRight = writeAnything(left, seed);
        assertArrayEquals(toRight, content(right.buffer), () -> "seed " + seed);
        assertArrayEquals(toLeft.join(), content(left.buffer), () -> "seed " + seed);
        assertTrue(right.signals.get() > 0);
    }

    @Test
    void aTransportThatMakesProgressInCallsServes() {
        close();
        connect(LazyTransport::over);
        writesOfAnySizeArriveInOrderInBothDirections();
    }

    @Test
    void aSignalFollowsTheWritesBeforeIt() {
        try (DeviceBuffer source = left.device.allocate(300_000);
                LocalMemory registered = left.transport.register(source)) {
            for (int turn = 1; turn <= 50; turn++) {
                source.segment().fill((byte) turn);
                left.connection.write(registered, 0, left.peer, DATA, source.byteSize());
                long position = left.connection.signal(left.peer, 0);
                while (right.counter() < turn) {
                    long _ = left.connection.completed();
                }
                assertEquals(turn, right.buffer.segment().get(ValueLayout.JAVA_BYTE, DATA + source.byteSize() - 1));
                left.awaitCompleted(position);
            }
        }
    }

    @Test
    void aWriteThatLiesOutsideFailsTheConnectionOfTheOwner() throws InterruptedException {
        long _ = left.connection.write(left.memory, 0, left.peer, BYTES - 8, 16);
        String reason = null;
        for (int tries = 0; reason == null && tries < 1000; tries++) {
            long _ = left.connection.completed();
            reason = right.failures.poll(20, TimeUnit.MILLISECONDS);
        }
        assertTrue(
                String.valueOf(reason)
                        .contains("the peer has sent 16 bytes for offset " + (BYTES - 8) + " of memory 1"),
                reason);
        long _ = left.connection.signal(left.peer, 0);
        assertEquals(0, right.counter());
    }

    @Test
    void memoryThatIsNoLongerRegisteredKeepsItsContent() {
        try (DeviceBuffer other = right.device.allocate(64)) {
            LocalMemory registered = right.transport.register(other);
            RemoteMemory target = left.transport.importMemory(registered.describe());
            registered.close();
            left.buffer.segment().fill((byte) 7);
            left.connection.write(left.memory, 0, target, 0, 64);
            left.connection.signal(target, 0);
            left.awaitCompleted(left.connection.signal(left.peer, 0));
            assertEquals(1, right.counter());
            assertArrayEquals(new byte[64], other.segment().toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @Test
    void aSourceThatIsNotRegisteredIsRefused() {
        LocalMemory other = right.memory;
        DeviceBuffer source = left.device.allocate(8);
        LocalMemory closed = left.transport.register(source);
        closed.close();
        source.close();
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> left.connection.write(closed, 0, left.peer, 0, 8));
        assertTrue(e.getMessage().contains("no longer registered"), e.getMessage());
        assertThrows(InvalidArgumentException.class, () -> left.transport.importMemory(new byte[3]));
        assertFalse(left.transport.reaches(new byte[] {1, 2, 3}));
        assertTrue(left.transport.reaches(right.transport.describeAddress()));
        assertEquals(BYTES, other.byteSize());
    }

    @Test
    void aPeerThatClosesIsLost() {
        right.connection.close();
        while (!left.connection.isPeerLost()) {
            Thread.yield();
        }
        assertTrue(left.connection.isPeerLost());
    }
}
