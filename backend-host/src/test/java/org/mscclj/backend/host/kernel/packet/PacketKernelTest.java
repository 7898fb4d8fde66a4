package org.mscclj.backend.host.kernel.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.backend.host.kernel.Twin;
import org.mscclj.posix.NativeMemory;

@Isolated
class PacketKernelTest {
    private static final int MAX_WORDS = 100;
    private static final int FLAG = 0x80000001;

    @ParameterizedTest
    @EnumSource
    void packsWordsWithTheirFlag(Twin twin) {
        for (int words = 0; words < MAX_WORDS; words++) {
            try (Arena arena = Arena.ofConfined()) {
                long source = arena.allocate(4 * words + 4, 8).address() + 1;
                MemorySegment packets = arena.allocate(8 * words + 8, 8);
                for (int i = 0; i < words; i++) {
                    NativeMemory.setInt(source + 4 * i, data(i));
                }
                kernel(twin).pack(source, packets.address(), words, FLAG);
                for (int i = 0; i < words; i++) {
                    assertEquals(data(i), NativeMemory.getInt(packets.address() + 8 * i));
                    assertEquals(FLAG, NativeMemory.getInt(packets.address() + 8 * i + 4));
                }
                assertEquals(0, NativeMemory.getLong(packets.address() + 8 * words), "wrote too far");
            }
        }
    }

    /** Whatever packet is missing, everything before it is taken, and nothing after. */
    @ParameterizedTest
    @EnumSource
    void stopsAtTheFirstMissingPacket(Twin twin) {
        for (int words : new int[] {0, 1, 2, 7, 8, 9, 16, 33, MAX_WORDS}) {
            for (int missing = 0; missing <= words; missing++) {
                try (Arena arena = Arena.ofConfined()) {
                    long packets = arena.allocate(8 * words + 8, 8).address();
                    for (int i = 0; i < words; i++) {
                        NativeMemory.setLong(
                                packets + 8 * i, ScalarPacketKernel.packet(data(i), i == missing ? FLAG - 1 : FLAG));
                    }
                    long plain = arena.allocate(4 * words + 4, 8).address() + 3;
                    long forwarded = arena.allocate(8 * words + 8, 8).address();

                    assertEquals(missing, kernel(twin).unpack(packets, plain, words, FLAG));
                    assertEquals(missing, kernel(twin).forward(packets, forwarded, words, FLAG));
                    assertEquals(missing, kernel(twin).validPrefix(packets, words, FLAG));
                    for (int i = 0; i < words; i++) {
                        assertEquals(i < missing ? data(i) : 0, NativeMemory.getInt(plain + 4 * i));
                        assertEquals(
                                i < missing ? ScalarPacketKernel.packet(data(i), FLAG) : 0,
                                NativeMemory.getLong(forwarded + 8 * i));
                    }
                }
            }
        }
    }

    @Test
    void thereIsOne() {
        assertNotNull(PacketKernel.preferred());
    }

    /**
     * A writer and a reader, each other's flow control, millions of packets: data always belongs to its flag, and what
     * the writer wrote plainly before it packed is there when the packet is.
     */
    @ParameterizedTest
    @EnumSource
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void survivesStress(Twin twin) throws Exception {
        long seed = System.nanoTime();
        int words = 1 << 10;
        warmUp(twin, words);
        try (Arena arena = Arena.ofShared()) {
            long source = arena.allocate(4 * words, 8).address();
            long packets = arena.allocate(8 * words, 64).address();
            long relayed = arena.allocate(8 * words, 64).address();
            long plain = arena.allocate(8, 64).address();
            long taken = arena.allocate(8, 64).address();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(700);
            CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> {
                Random random = new Random(seed);
                int flag = 0;
                while (System.nanoTime() < end && NativeMemory.getLongAcquire(taken) >= 0) {
                    flag++;
                    for (int i = 0; i < words; i++) {
                        NativeMemory.setInt(source + 4 * i, payload(flag, i));
                    }
                    NativeMemory.setLong(plain, flag);
                    for (int sent = 0; sent < words; ) {
                        int some = Math.min(words - sent, 1 + random.nextInt(200));
                        kernel(twin).pack(source + 4 * sent, packets + 8 * sent, some, flag);
                        sent += some;
                    }
                    await(taken, flag);
                }
                // The last message tells the reader to stop.
                kernel(twin).pack(source, packets, words, -1);
                return flag;
            });
            long destination = arena.allocate(4 * words, 8).address();
            int flag = 1;
            try {
                for (; ; flag++) {
                    long received = 0;
                    while (received < words) {
                        if (kernel(twin).validPrefix(packets, words, -1) == words) {
                            break;
                        }
                        long offset = received;
                        long more =
                                kernel(twin).forward(packets + 8 * offset, relayed + 8 * offset, words - offset, flag);
                        if (more > 0) {
                            assertEquals(flag, NativeMemory.getLong(plain), "seed " + seed);
                        } else {
                            Thread.onSpinWait();
                        }
                        received += more;
                    }
                    if (received < words) {
                        break;
                    }
                    assertEquals(words, kernel(twin).unpack(relayed, destination, words, flag));
                    for (int i = 0; i < words; i++) {
                        assertEquals(payload(flag, i), NativeMemory.getInt(destination + 4 * i), "seed " + seed);
                    }
                    NativeMemory.setLongRelease(taken, flag);
                }
            } finally {
                NativeMemory.setLongRelease(taken, -1);
            }
            assertEquals(writer.get(), flag - 1);
            System.out.println("seed " + seed + ": " + twin + " passed " + (long) words * (flag - 1) + " packets");
        }
    }

    /** Until the compiler has made instructions of the vectors; before, there is little to race with. */
    private static void warmUp(Twin twin, int words) {
        try (Arena arena = Arena.ofConfined()) {
            long from = arena.allocate(8 * words, 64).address();
            long to = arena.allocate(8 * words, 64).address();
            for (int i = 0; i < 400; i++) {
                kernel(twin).pack(to, from, words, i);
                kernel(twin).validPrefix(from, words, i);
                kernel(twin).forward(from, to, words, i);
                kernel(twin).unpack(from, to, words, i);
            }
        }
    }

    private static void await(long address, long value) {
        long seen;
        while ((seen = NativeMemory.getLongAcquire(address)) != value && seen >= 0) {
            Thread.onSpinWait();
        }
    }

    private static int payload(int flag, int index) {
        return flag * 0x9e3779b9 ^ index * 0x85ebca6b;
    }

    private static int data(int index) {
        return payload(5, index);
    }

    private static PacketKernel kernel(Twin twin) {
        return twin == Twin.VECTOR ? VectorPacketKernel.INSTANCE : ScalarPacketKernel.INSTANCE;
    }
}
