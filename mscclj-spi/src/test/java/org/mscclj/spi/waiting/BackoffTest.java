package org.mscclj.spi.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.AbortedException;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackoffTest {
    private static final long DAY = Duration.ofDays(1).toNanos();

    private final Backoff backoff = new Backoff();

    @Test
    void aWaitEndsAtItsTimeout() {
        Duration timeout = Duration.ofMillis(20);
        long start = System.nanoTime();
        backoff.start(timeout);
        while (backoff.pause()) {}
        assertTrue(System.nanoTime() - start >= timeout.toNanos());
    }

    @Test
    void theLongestDurationDoesNotOverflow() {
        backoff.start(Duration.ofSeconds(Long.MAX_VALUE));
        for (int i = 0; i < 200; i++) {
            assertTrue(backoff.pause());
        }
    }

    @Test
    void napsDoubleUpToALimit() {
        long nap = backoff.nextNap();
        assertEquals(2 * nap, backoff.nextNap());
        for (int i = 0; i < 20; i++) {
            assertTrue(backoff.nextNap() <= 1_000_000);
        }
        backoff.progressed();
        assertEquals(nap, backoff.nextNap());
    }

    @Test
    void waitsForDevicesSpinLonger() {
        assertTrue(spins(Backoff.forDevices()) > 2 * spins(backoff));
    }

    private static int spins(Backoff waiting) {
        int spins = 0;
        while (waiting.spin()) {
            spins++;
        }
        return spins;
    }

    @Test
    void anInterruptEndsTheWaitAndStays() {
        backoff.reset();
        while (backoff.spin()) {}
        Thread.currentThread().interrupt();
        assertThrows(AbortedException.class, backoff::pause);
        assertTrue(Thread.interrupted());
        assertFalse(Thread.interrupted());
    }

    @Test
    void aStrategyThatOnlyNapsPausesUntilTheTimeHasPassed() {
        Backoff naps = Backoff.napping(1_000_000, 2_000_000);
        long start = System.nanoTime();
        naps.start(5_000_000);
        assertFalse(naps.spin());
        while (naps.pause()) {
            Thread.onSpinWait();
        }
        assertTrue(System.nanoTime() - start >= 5_000_000);
    }

    @Test
    void aNapIsCutByTheTimeLimit() {
        Backoff naps = Backoff.every(DAY);
        naps.start(1_000_000);
        assertTrue(naps.pause());
        while (naps.pause()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void noNapComesAfterTheTimeLimit() {
        Backoff naps = Backoff.every(Long.MAX_VALUE);
        naps.start(Duration.ZERO);
        assertFalse(naps.pause());
        assertFalse(naps.awaitUninterruptibly(() -> false));
    }

    @Test
    void theLongestNapDoesNotOverflow() {
        Backoff naps = Backoff.napping(Long.MAX_VALUE / 2, Long.MAX_VALUE);
        assertEquals(Long.MAX_VALUE / 2, naps.nextNap());
        assertEquals(Long.MAX_VALUE - 1, naps.nextNap());
        assertEquals(Long.MAX_VALUE, naps.nextNap());
    }

    @Test
    void anInterruptedThreadSaysWhatItDid() {
        Thread.currentThread().interrupt();
        AbortedException e =
                assertThrows(AbortedException.class, () -> Backoff.every(1).pause("connecting to rank 3"));
        assertEquals("interrupted while connecting to rank 3", e.getMessage());
        assertTrue(Thread.interrupted());
    }

    @Test
    void aConditionThatHoldsIsNotWaitedFor() {
        backoff.start(0);
        assertTrue(backoff.awaitUninterruptibly(() -> true));
    }

    @Test
    void aConditionIsAwaitedThroughAnInterrupt() {
        int[] looks = {0};
        Thread.currentThread().interrupt();
        Backoff naps = Backoff.every(1_000_000);
        long start = System.nanoTime();
        assertTrue(naps.awaitUninterruptibly(() -> ++looks[0] > 5));
        assertTrue(Thread.interrupted());
        assertTrue(System.nanoTime() - start >= 1_000_000, "the naps took their time");
    }

    @Test
    void waitsThatSpinAlsoEndAtTheTimeLimit() {
        backoff.start(1_000_000);
        assertFalse(backoff.awaitUninterruptibly(() -> false));
        assertFalse(Thread.interrupted());
    }

    @Test
    void aDelayIsNotShortenedByAnInterrupt() {
        long start = System.nanoTime();
        Thread.currentThread().interrupt();
        Backoff.delay(2_000_000);
        assertTrue(System.nanoTime() - start >= 2_000_000);
        assertTrue(Thread.interrupted());
    }
}
