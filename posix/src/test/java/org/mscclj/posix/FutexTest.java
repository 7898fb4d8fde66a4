package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FutexTest {
    private static final Timespec HOUR = new Timespec(TimeUnit.HOURS.toNanos(1));
    private static final Timespec MOMENT = new Timespec(1);

    @BeforeAll
    static void requireLinux() {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
    }

    @Test
    void waitingEndsWithItsTimeAndForAnotherValue() {
        try (Arena arena = Arena.ofConfined()) {
            long word = arena.allocate(4, 4).address();
            Futex.await(word, 0, MOMENT.address());
            Futex.await(word, 1, HOUR.address());
        }
    }

    @Test
    void wakingEndsIt() throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            long word = arena.allocate(4, 4).address();
            Thread sleeper = Thread.ofPlatform().daemon().start(() -> Futex.await(word, 0, HOUR.address()));
            for (int i = 0; i < 6000 && sleeper.isAlive(); i++) { // a minute; it may not sleep yet
                Futex.wake(word, Futex.ALL_WAITERS);
                assertFalse(Thread.interrupted());
                sleeper.join(Duration.ofMillis(10));
            }
            assertTrue(sleeper.join(Duration.ZERO), "it still sleeps");
        }
    }
}
