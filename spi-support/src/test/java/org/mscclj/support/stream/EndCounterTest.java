package org.mscclj.support.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndCounterTest {
    private final EndCounter counter = new EndCounter();

    @Test
    void aReachedNumberIsNotWaitedFor() {
        counter.increment();
        counter.increment();
        assertEquals(2, counter.count());
        assertTrue(counter.await(2, 0));
        Thread.currentThread().interrupt();
        assertTrue(counter.await(1, Long.MAX_VALUE));
        assertTrue(Thread.interrupted());
    }

    @Test
    void aWaitEndsWithItsTime() {
        assertFalse(counter.await(1, 1_000_000));
    }

    @Test
    void anInterruptEndsAWaitAndStays() {
        Thread.currentThread().interrupt();
        assertFalse(counter.await(1, Long.MAX_VALUE));
        assertTrue(Thread.interrupted());
    }

    @Test
    void anInterruptDoesNotEndAnUninterruptibleWaitAndStays() throws InterruptedException {
        AtomicInteger interrupted = new AtomicInteger();
        Thread waiter = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            counter.awaitUninterruptibly(1);
            if (counter.reached(1) && Thread.interrupted()) {
                interrupted.incrementAndGet();
            }
        });
        counter.increment();
        waiter.join();
        assertEquals(1, interrupted.get());
    }

    /** Waiters without a slot find the count by themselves. */
    @Test
    void manyThreadsWaitForDifferentNumbers() throws InterruptedException {
        List<Thread> waiters = new ArrayList<>();
        AtomicInteger reached = new AtomicInteger();
        for (int number = 1; number <= 20; number++) {
            int target = number;
            waiters.add(Thread.ofPlatform().start(() -> {
                if (counter.await(target, Long.MAX_VALUE) && counter.count() >= target) {
                    reached.incrementAndGet();
                }
            }));
        }
        for (int number = 1; number <= 20; number++) {
            counter.increment();
        }
        for (Thread waiter : waiters) {
            waiter.join();
        }
        assertEquals(20, reached.get());
    }
}
