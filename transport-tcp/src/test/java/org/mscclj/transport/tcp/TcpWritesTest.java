package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.network.KeepAlive;
import org.mscclj.spi.protection.WireProtection;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.transport.tcp.settings.TcpSettings;

/** Completeness and order of arrival. {@code -Dmscclj.seed=N} repeats a run. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TcpWritesTest {
    private static final long SEED = Long.getLong("mscclj.seed", System.nanoTime() & 0xffff_ffffL);
    private static final long BYTES = 9 << 20;
    private static final long COUNTER_BYTES = 64;

    private static TcpSettings lanes(int lanes) {
        return new TcpSettings(
                PortRange.ANY,
                Optional.empty(),
                lanes,
                Duration.ofSeconds(20),
                Optional.empty(),
                WireProtection.HOSTS,
                KeepAlive.DEFAULT);
    }

    /** Sizes of all kinds; writes overlap, so that the later one must win. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void randomWritesArriveInOrder(int lanes) {
        System.out.println("TcpWritesTest: -Dmscclj.seed=" + SEED);
        SplittableRandom random = new SplittableRandom(SEED + lanes);
        List<Side> sides = Side.pair(lanes(lanes), BYTES);
        try (Side left = sides.getFirst();
                Side right = sides.getLast()) {
            byte[] noise = new byte[(int) BYTES];
            random.nextBytes(noise);
            left.buffer.copyFrom(MemorySegment.ofArray(noise));
            byte[] expected = new byte[(int) BYTES];
            for (int signals = 1; signals <= 20; signals++) {
                for (int i = random.nextInt(12); i >= 0; i--) {
                    int most = random.nextInt(10) == 0 ? 8 << 20 : random.nextInt(3) == 0 ? 200_000 : 70;
                    int bytes = random.nextInt(4) == 0 ? random.nextInt(2) : random.nextInt(most);
                    int from = random.nextInt((int) BYTES - bytes);
                    int to = random.nextInt((int) (COUNTER_BYTES), (int) BYTES - bytes);
                    left.connection.write(left.memory, from, left.peerMemory, to, bytes);
                    System.arraycopy(noise, from, expected, to, bytes);
                }
                long last = left.connection.signal(left.peerMemory, 0);
                right.awaitCounter(signals);
                MemorySegment arrived = right.buffer.segment().asSlice(COUNTER_BYTES);
                long mismatch =
                        MemorySegment.ofArray(expected).asSlice(COUNTER_BYTES).mismatch(arrived);
                assertEquals(-1, mismatch, "after signal " + signals + ", -Dmscclj.seed=" + SEED);
                left.awaitCompleted(last);
            }
            assertEquals(20, right.counter());
            assertTrue(right.device.woken.get() > 0);
        }
    }

    /** Both directions at once; each word that is seen after a signal is at least as new as the signal. */
    @Test
    void signalsFollowWritesUnderLoad() {
        int rounds = 150;
        long words = 60_000;
        long bytes = COUNTER_BYTES + 2 * words * Long.BYTES;
        List<Side> sides = Side.pair(lanes(4), bytes);
        try (Side left = sides.getFirst();
                Side right = sides.getLast()) {
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> exchange(left, rounds, words));
            exchange(right, rounds, words);
            other.join();
        }
    }

    /** Each has its own order, also while others wait for the socket. */
    @ParameterizedTest
    @EnumSource(WireProtection.class)
    void connectionsThatShareSocketsKeepTheirOrder(WireProtection protection) {
        TcpSettings one = new TcpSettings(
                PortRange.ANY,
                Optional.of("127.0.0.1"),
                2,
                Duration.ofSeconds(22),
                Optional.empty(),
                protection,
                KeepAlive.DEFAULT);
        TcpSettings other = new TcpSettings(
                PortRange.ANY,
                Optional.of("127.0.0.1"),
                2,
                Duration.ofSeconds(23),
                Optional.empty(),
                protection,
                KeepAlive.DEFAULT);
        int rounds = 20;
        long words = 60_000;
        List<Side> sides = new ArrayList<>();
        try {
            List<CompletableFuture<Void>> exchanges = new ArrayList<>();
            for (int pair = 0; pair < 5; pair++) {
                sides.addAll(Side.pair(one, other, COUNTER_BYTES + 2 * words * Long.BYTES));
            }
            for (Side side : sides) {
                CompletableFuture<Void> done = new CompletableFuture<>();
                Thread.ofPlatform().daemon().start(() -> {
                    try {
                        exchange(side, rounds, words);
                        done.complete(null);
                    } catch (RuntimeException | Error e) {
                        done.completeExceptionally(e);
                    }
                });
                exchanges.add(done);
            }
            exchanges.forEach(CompletableFuture::join);
        } finally {
            sides.forEach(Side::close);
        }
    }

    /** Others keep the sockets busy; the goodbye does not wait for them. */
    @Test
    void closingSendsGoodbyeThroughAFullSocket() throws InterruptedException {
        TcpSettings one = lanes(1);
        TcpSettings other = lanes(2);
        List<Side> busy = Side.pair(one, other, 64 << 20);
        try (Side left = busy.getFirst();
                Side right = busy.getLast()) {
            for (int round = 0; round < 10; round++) {
                List<Side> pair = Side.pair(one, other, 64);
                try (Side closing = pair.getFirst();
                        Side last = pair.getLast()) {
                    closing.awaitCompleted(closing.connection.signal(closing.peerMemory, 0));
                    long posted = left.connection.write(left.memory, 64, left.peerMemory, 64, (64 << 20) - 64);
                    closing.connection.close();
                    while (!last.connection.isPeerLost()) {
                        Thread.sleep(1);
                    }
                    assertTrue(last.failures.isEmpty(), last.failures::toString);
                    assertEquals(1, last.counter());
                    left.awaitCompleted(posted);
                }
            }
            assertTrue(right.failures.isEmpty(), right.failures::toString);
        }
    }

    /** The first half of the memory is what the peer writes, the second is what is sent. */
    private static void exchange(Side side, int rounds, long words) {
        MemorySegment memory = side.buffer.segment();
        MemorySegment received = memory.asSlice(COUNTER_BYTES, words * Long.BYTES);
        long sending = COUNTER_BYTES + words * Long.BYTES;
        SplittableRandom random = new SplittableRandom(SEED);
        for (long round = 1; round <= rounds; round++) {
            for (long word = 0; word < words; word++) {
                memory.set(ValueLayout.JAVA_LONG, sending + word * Long.BYTES, round);
            }
            // the larger part is spread over lanes, the rest are small writes
            long cut = random.nextLong(words);
            side.connection.write(side.memory, sending, side.peerMemory, COUNTER_BYTES, cut * Long.BYTES);
            for (long word = cut; word < words; ) {
                long count = Math.min(words - word, 1 + random.nextLong(words / 4));
                side.connection.write(
                        side.memory,
                        sending + word * Long.BYTES,
                        side.peerMemory,
                        COUNTER_BYTES + word * Long.BYTES,
                        count * Long.BYTES);
                word += count;
            }
            long last = side.connection.signal(side.peerMemory, 0);
            side.awaitCounter(round);
            for (long word = 0; word < words; word++) {
                long value = received.getAtIndex(ValueLayout.JAVA_LONG, word);
                if (value < round) {
                    throw new AssertionError("word " + word + " is of round " + value + " after signal " + round);
                }
            }
            side.awaitCompleted(last);
        }
    }

    /** Packets are recognised by a flag in each word, so no word may be seen in halves. */
    @Test
    void alignedWordsArriveWhole() {
        long bytes = 100_000;
        List<Side> sides = Side.pair(lanes(2), bytes + 16);
        try (Side left = sides.getFirst();
                Side right = sides.getLast()) {
            MemorySegment received = right.buffer.segment();
            MemorySegment sent = left.buffer.segment();
            for (int round = 1; round <= 100; round++) {
                sent.fill((byte) round);
                // from 4: a ragged head, then whole words
                long last = left.connection.write(left.memory, 12, left.peerMemory, 12, bytes);
                while (left.connection.completed() < last) {
                    for (long at = 16; at < bytes; at += Long.BYTES) {
                        long word = received.get(ValueLayout.JAVA_LONG, at);
                        assertEquals((int) word, (int) (word >>> 32));
                    }
                }
                assertEquals((byte) round, received.get(ValueLayout.JAVA_BYTE, 11 + bytes));
            }
        }
    }

    @Test
    void lateFramesForClosedMemoryAreDiscarded() {
        List<Side> sides = Side.pair(lanes(2), 1024);
        try (Side left = sides.getFirst();
                Side right = sides.getLast()) {
            right.memory.close();
            // has the slot, but not the id, and is too small for what was meant for the other
            LocalMemory next = right.transport.register(right.buffer.slice(0, 16));
            left.awaitCompleted(left.connection.write(left.memory, 0, left.peerMemory, 800, 100));
            left.awaitCompleted(left.connection.signal(left.peerMemory, 0));
            assertEquals(-1, right.buffer.segment().mismatch(MemorySegment.ofArray(new byte[1024])));
            left.awaitCompleted(left.connection.signal(left.transport.importMemory(next.describe()), 0));
            assertEquals(1, right.counter());
            assertTrue(left.failures.isEmpty() && right.failures.isEmpty());
            next.close();
            assertEquals(0, right.device.retained.get());
        }
    }

    @Test
    void aClosedConnectionThrows() {
        List<Side> sides = Side.pair(lanes(2), 1024);
        try (Side left = sides.getFirst();
                Side right = sides.getLast()) {
            left.awaitCompleted(left.connection.signal(left.peerMemory, 0));
            left.connection.close();
            String own = assertThrows(InvalidArgumentException.class, () -> left.connection.signal(left.peerMemory, 0))
                    .getMessage();
            assertTrue(String.valueOf(own).contains("closed"), own);
            // what the peer posts before it has heard of it is lost, which it is told as well
            String peers = assertThrows(MsccljException.class, () -> {
                        while (true) {
                            right.connection.signal(right.peerMemory, 0);
                        }
                    })
                    .getMessage();
            assertTrue(String.valueOf(peers).contains("connection over tcp to "), peers);
        }
    }

    @Test
    void memoryThatTheHostCannotAccessIsRefused() {
        String message = assertThrows(
                        UnsupportedException.class,
                        () -> new TcpTransport(new FakeDevice(false), TcpSettings.DEFAULTS).close())
                .getMessage();
        assertTrue(String.valueOf(message).contains("backend fake"), message);
    }
}
