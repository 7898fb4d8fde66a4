package org.mscclj.backend.host.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.posix.NativeMemory;
import org.mscclj.posix.PosixSupport;

class DoorbellTest {
    private static final int CHANGES = 50_000;

    /**
     * One thread changes a word and rings; the other sleeps whenever it has seen no change. Had a ring been lost, the
     * sequence would be unchanged although the change came after the last look.
     */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void noRingIsLost() {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
        try (Arena arena = Arena.ofShared()) {
            Words words = new Words(arena);
            CompletableFuture<Void> changer = CompletableFuture.runAsync(() -> change(words));
            int sleeps = 0;
            for (long seen = 0; seen < CHANGES; ) {
                long value = NativeMemory.getLongAcquire(words.changed);
                if (value > seen) {
                    seen = value;
                    NativeMemory.setLongRelease(words.seen, seen);
                    continue;
                }
                int sequence = words.doorbell.announce();
                if (NativeMemory.getLongAcquire(words.changed) == seen) {
                    words.doorbell.sleep(sequence, sleeps % 8);
                    sleeps++;
                    requireRung(words, seen, sequence);
                }
                words.doorbell.leave();
            }
            changer.join();
            assertTrue(sleeps > 0, "the test never slept");
            assertEquals(0, NativeMemory.getIntAcquire(words.bell), "sleepers left");
        }
    }

    private static void requireRung(Words words, long seen, int sequence) {
        if (NativeMemory.getLongAcquire(words.changed) > seen) {
            while (NativeMemory.getLongAcquire(words.rung) == seen) {
                Thread.onSpinWait();
            }
            assertNotEquals(sequence, words.doorbell.announce(), "a change was not rung, though a thread slept");
            words.doorbell.leave();
        }
    }

    private static void change(Words words) {
        for (long i = 1; i <= CHANGES; i++) {
            while (NativeMemory.getLongAcquire(words.seen) < i - 1) {
                Thread.onSpinWait();
            }
            for (long pause = i * 7 % 64; pause > 0; pause--) {
                Thread.onSpinWait();
            }
            NativeMemory.setLongRelease(words.changed, i);
            VarHandle.fullFence();
            words.doorbell.ring();
            NativeMemory.setLongRelease(words.rung, i);
        }
    }

    private static final class Words {
        final long bell;
        final long changed;
        final long rung;
        final long seen;
        final Doorbell doorbell;

        Words(Arena arena) {
            MemorySegment memory = arena.allocate(1024, 128);
            bell = memory.address();
            changed = bell + 512;
            rung = bell + 640;
            seen = bell + 768;
            doorbell = new Doorbell(bell);
        }
    }
}
