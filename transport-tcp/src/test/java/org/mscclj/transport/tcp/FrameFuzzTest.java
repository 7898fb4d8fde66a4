package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.transport.tcp.connection.Frame;
import org.mscclj.transport.tcp.link.LinkRecord;

/**
 * An authenticated peer sends modified frames and records. Memory that is not registered is never written, and another
 * connection of the process continues. {@code -Dmscclj.full=true} for a million frames of each sort,
 * {@code -Dmscclj.seed=N} to repeat a run.
 */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameFuzzTest {
    private static final boolean FULL = Boolean.getBoolean("mscclj.full");
    private static final int FRAMES = 20;
    private static final int PEERS = FULL ? 1_000_000 / FRAMES : 150;
    private static final long SEED = Long.getLong("mscclj.seed", System.nanoTime());

    /** What a peer of one connection sends. */
    private interface Attack {
        void send(Awaiting side, RawPeer peer, Random random) throws IOException;
    }

    private static void run(String sort, Attack attack) throws Exception {
        System.out.println("FrameFuzzTest, " + sort + ": -Dmscclj.seed=" + SEED);
        Random random = new Random(SEED ^ sort.hashCode());
        try (Awaiting good = new Awaiting(1);
                RawPeer partner = good.accepted()) {
            for (int peers = 0; peers < PEERS; peers++) {
                String which = sort + ", peer " + peers + " of seed " + SEED;
                try (Awaiting side = new Awaiting(1)) {
                    try (RawPeer peer = side.accepted()) {
                        attack.send(side, peer, random);
                    } catch (IOException _) {
                        // the side has closed the socket before all was sent
                    }
                    long signals = peers + 1L;
                    partner.frame(Frame.SIGNAL, 0, signals, good.memoryId(), 0, 0);
                    while (good.side.device.readCounter(good.side.buffer, Awaiting.GUARD) < signals) {
                        Thread.onSpinWait(); // it goes on, or the test ends by its timeout
                    }
                    requireGuards(side, which);
                    assertEquals(0, good.side.failures.size(), () -> which + ": " + good.side.failures);
                }
            }
        }
    }

    private static void requireGuards(Awaiting side, String which) {
        MemorySegment memory = side.side.buffer.segment();
        MemorySegment zeros = MemorySegment.ofArray(new byte[Awaiting.GUARD]);
        long behind = Awaiting.GUARD + Awaiting.BYTES;
        assertTrue(memory.asSlice(0, Awaiting.GUARD).mismatch(zeros) < 0, which);
        assertTrue(memory.asSlice(behind, Awaiting.GUARD).mismatch(zeros) < 0, which);
    }

    private static byte[] frame(Awaiting side, Random random, long position) {
        int length = 8 * random.nextInt(5);
        long offset = 8L * random.nextInt(Awaiting.BYTES / 8 + 2);
        int type = 1 + random.nextInt(5);
        return RawPeer.encode(
                type, type == Frame.SIGNAL ? 0 : length, position, side.memoryId(), offset, random.nextInt(2) * length);
    }

    private static byte[] record(Random random) {
        int kind = 1 + random.nextInt(4);
        int bytes = kind == LinkRecord.DATA ? random.nextInt(200) : 0;
        byte[] payload = new byte[bytes];
        random.nextBytes(payload);
        return ByteBuffer.allocate(LinkRecord.HEADER + bytes)
                .putInt(kind)
                .putInt(random.nextInt(3))
                .putInt(kind == LinkRecord.DATA ? bytes : random.nextInt(2000))
                .put(payload)
                .array();
    }

    /** Half of the frames stay as they are, so that the changed ones meet a connection that is at work. */
    private static byte[] changed(byte[] bytes, Random random) {
        if (random.nextBoolean()) {
            int at = random.nextInt(bytes.length);
            bytes[at] = switch (random.nextInt(4)) {
                case 0 -> (byte) random.nextInt();
                case 1 -> (byte) 0xff;
                case 2 -> (byte) 0x7f;
                default -> (byte) (bytes[at] ^ 1 << random.nextInt(8));
            };
        }
        return bytes;
    }

    private static byte[] several(Random random, Consumer<ByteArrayOutputStream> one) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < FRAMES; i++) {
            one.accept(all);
        }
        return random.nextInt(8) == 0
                ? Arrays.copyOf(all.toByteArray(), random.nextInt(all.size())) // cut
                : all.toByteArray();
    }

    @Test
    void frames() throws Exception {
        run("frames", (side, peer, random) -> {
            long[] position = new long[1];
            peer.out.write(several(random, all -> all.writeBytes(changed(frame(side, random, ++position[0]), random))));
        });
    }

    @Test
    void records() throws Exception {
        run(
                "records",
                (side, peer, random) -> peer.socket
                        .getOutputStream()
                        .write(several(random, all -> all.writeBytes(changed(record(random), random)))));
    }
}
