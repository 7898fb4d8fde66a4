package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.spi.network.KeepAlive;
import org.mscclj.spi.protection.WireProtection;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.channel.SealedChannel;
import org.mscclj.transport.tcp.greeting.EndpointDescription;
import org.mscclj.transport.tcp.settings.TcpSettings;

/** Sockets that are sealed without certificates. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SealedTest {
    private static final long SEED = System.nanoTime();

    private static TcpSettings settings(WireProtection protection) {
        return new TcpSettings(
                PortRange.ANY,
                Optional.of("127.0.0.1"),
                2,
                Duration.ofSeconds(10),
                Optional.empty(),
                protection,
                KeepAlive.DEFAULT);
    }

    @Test
    void writesAndSignalsArriveSealed() {
        byte[] noise = new byte[3 << 20];
        new SplittableRandom(7).nextBytes(noise);
        List<Side> sides = Side.pair(settings(WireProtection.ALL), noise.length);
        try (Side left = sides.getFirst();
                Side right = sides.getLast()) {
            left.buffer.copyFrom(MemorySegment.ofArray(noise));
            for (int round = 1; round <= 5; round++) {
                left.connection.write(left.memory, 64, left.peerMemory, 64, noise.length - 64);
                long last = left.connection.signal(left.peerMemory, 0);
                right.awaitCounter(round);
                assertEquals(
                        -1,
                        right.buffer
                                .segment()
                                .asSlice(64)
                                .mismatch(MemorySegment.ofArray(noise).asSlice(64)));
                left.awaitCompleted(last);
                right.awaitCompleted(right.connection.signal(right.peerMemory, 8));
            }
        }
    }

    @Test
    void unsealedConnectionsAreRejectedIfSealingIsRequired() throws Exception {
        try (Side side = new Side(settings(WireProtection.ALL), 64);
                var end = side.transport.createEndpoint(side.transport.describeAddress())) {
            EndpointDescription description = EndpointDescription.decode(end.describe());
            try (RawPeer plain = new RawPeer(description)) {
                assertFalse(plain.greet(description.id(), description.token()));
            }
        }
    }

    @Test
    void ranksThatSealDifferentlyDoNotReachEachOther() {
        try (Side all = new Side(settings(WireProtection.ALL), 64);
                Side none = new Side(settings(WireProtection.NONE), 64)) {
            assertFalse(all.transport.reaches(none.transport.describeAddress()));
            assertTrue(all.transport.reaches(all.transport.describeAddress()));
        }
    }

    /** Stores written bytes, and returns them in pieces. */
    private static final class Wire implements LaneChannel {
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private final SplittableRandom random = new SplittableRandom(SEED);
        private byte[] toRead = {};
        private int read;

        @Override
        public int read(ByteBuffer to) {
            if (read == toRead.length) {
                return -1;
            }
            int count = Math.min(Math.min(to.remaining(), toRead.length - read), 1 + random.nextInt(70_000));
            to.put(toRead, read, count);
            read += count;
            return count;
        }

        @Override
        public int write(ByteBuffer from) {
            int count = Math.min(from.remaining(), 1 + random.nextInt(40_000));
            for (int i = 0; i < count; i++) {
                written.write(from.get());
            }
            return count;
        }

        @Override
        public boolean holdsReceived() {
            return false;
        }

        @Override
        public boolean wantsWrite(boolean dataWaits) {
            return dataWaits;
        }

        @Override
        public void close() {}
    }

    private static byte[] key(int value) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) value);
        return key;
    }

    private static byte[] sealed(byte[] plain) throws IOException {
        Wire wire = new Wire();
        SealedChannel channel = new SealedChannel(wire, key(1), key(2));
        ByteBuffer from = ByteBuffer.wrap(plain);
        while (from.hasRemaining() || channel.wantsWrite(false)) {
            channel.write(from);
        }
        return wire.written.toByteArray();
    }

    private static byte[] opened(byte[] sealed) throws IOException {
        Wire wire = new Wire();
        wire.toRead = sealed;
        SealedChannel channel = new SealedChannel(wire, key(2), key(1));
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        ByteBuffer to = ByteBuffer.allocateDirect(5000);
        for (int read = channel.read(to); read >= 0; read = channel.read(to)) {
            to.flip();
            byte[] part = new byte[to.remaining()];
            to.get(part);
            plain.writeBytes(part);
            to.clear();
        }
        return plain.toByteArray();
    }

    @Test
    void sealedBytesAreOpened() throws IOException {
        for (int length : new int[] {1, 40, 32 * 1024, 32 * 1024 + 1, 300_000}) {
            byte[] plain = new byte[length];
            new SplittableRandom(SEED).nextBytes(plain);
            assertArrayEquals(plain, opened(sealed(plain)), () -> "seed " + SEED);
        }
    }

    @Test
    void changedMissingOrRepeatedRecordsAreDetected() throws IOException {
        byte[] sealed = sealed(new byte[100_000]);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 200; i++) {
            byte[] changed = sealed.clone();
            int at = random.nextInt(changed.length);
            changed[at] ^= (byte) (1 << random.nextInt(8));
            boolean refused;
            try {
                refused = opened(changed).length < 100_000; // a record that became longer than what came
            } catch (IOException e) {
                refused = String.valueOf(e.getMessage()).contains("change");
            }
            assertTrue(refused, "byte " + at + " of seed " + SEED);
        }
        int record = Integer.BYTES + SealedChannel.MAX_PAYLOAD + 16;
        byte[] second = Arrays.copyOfRange(sealed, record, sealed.length);
        assertThrows(IOException.class, () -> opened(second));
    }
}
