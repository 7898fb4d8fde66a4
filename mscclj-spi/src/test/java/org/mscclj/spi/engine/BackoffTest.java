package org.mscclj.spi.engine;

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
}
