package org.mscclj.backend.host.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.support.stream.EndCounter;

/** What the comments of the scheduler, its streams and their counts say of threads that race. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostSchedulerTest {
    private static final int TIMES = 20_000;

    private HostScheduler scheduler;

    @BeforeEach
    void open() {
        scheduler = new HostScheduler(2, Optional.empty());
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    /** A stream of which no copies are asked, so that it needs no device. */
    private HostStream stream() {
        return new HostStream(null, scheduler);
    }

    /**
     * A command that somebody carries out while it is still being enqueued has been counted: else one that is blocked
     * would not be, for a moment, and threads would sleep for good.
     */
    @Test
    void whatCanBeCarriedOutIsPending() throws InterruptedException {
        AtomicInteger letEnd = new AtomicInteger();
        AtomicLong fewest = new AtomicLong(Long.MAX_VALUE);
        HostStream blocked = stream();
        HostStream quick = stream();
        blocked.enqueue(_ -> letEnd.get() > 0); // keeps the workers awake
        Command look = _ -> {
            fewest.accumulateAndGet(scheduler.pending(), Math::min);
            return true;
        };
        Thread[] users =
                new Thread[3]; // whoever leaves a monitor that others want takes a while, with the command in the queue
        for (int user = 0; user < users.length; user++) {
            users[user] = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 5 * TIMES; i++) {
                    long _ = quick.enqueue(look, () -> 0, i % 2 == 0);
                }
            });
        }
        for (Thread user : users) {
            user.join();
        }
        while (!quick.isIdle()) {
            Thread.onSpinWait();
        }
        letEnd.set(1);
        scheduler.wake();
        quick.close();
        blocked.close();
        assertEquals(2, fewest.get(), "the one that is blocked, and the one that is carried out");
        while (scheduler.pending() > 0) { // whoever carries out a command counts it after it has ended
            Thread.onSpinWait();
        }
    }

    /**
     * Workers fall asleep between commands, while another command is enqueued. Each command ends, though no thread
     * joins it.
     */
    @Test
    void nothingThatIsEnqueuedIsForgotten() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        AtomicLong ended = new AtomicLong();
        HostStream[] streams = {stream(), stream(), stream()};
        for (int i = 1; i <= TIMES / 4; i++) {
            streams[random.nextInt(streams.length)].enqueue(_ -> {
                ended.incrementAndGet();
                return true;
            });
            if (random.nextInt(4) == 0) {
                LockSupport.parkNanos(random.nextInt(20_000));
            }
            while (ended.get() < i) {
                Thread.yield();
            }
        }
        for (HostStream stream : streams) {
            stream.close();
        }
        assertEquals(TIMES / 4, ended.get());
    }

    /**
     * Many threads wait, have given their slots up, and none of them hears of what lets their commands end: the workers
     * find out.
     */
    @Test
    void threadsWithoutASlotAreWokenByTheWorkers() throws InterruptedException {
        AtomicInteger letEnd = new AtomicInteger();
        AtomicInteger reached = new AtomicInteger();
        Thread[] waiters = new Thread[32];
        for (int waiter = 0; waiter < waiters.length; waiter++) {
            HostStream stream = stream();
            EndCounter counter = new EndCounter();
            stream.enqueue(_ -> {
                if (letEnd.get() > 0) {
                    counter.set(1);
                }
                return letEnd.get() > 0;
            });
            waiters[waiter] = Thread.ofPlatform().start(() -> {
                if (scheduler.await(counter, 1, stream, Long.MAX_VALUE)) {
                    reached.incrementAndGet();
                }
                stream.close();
            });
        }
        Thread.sleep(100); // all have taken their last nap with a slot
        letEnd.set(1); // wakes no thread
        for (Thread waiter : waiters) {
            waiter.join();
        }
        assertEquals(waiters.length, reached.get());
    }

    /** More waiters than there are places for them, each for other numbers, without a limit. */
    @Test
    void whoWaitsForACountIsWoken() throws InterruptedException {
        EndCounter counter = new EndCounter();
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Thread[] waiters = new Thread[6];
        AtomicLong farthest = new AtomicLong();
        for (int waiter = 0; waiter < waiters.length; waiter++) {
            Random random = new Random(seed + waiter);
            waiters[waiter] = Thread.ofPlatform().start(() -> {
                for (long number = 1; number <= TIMES; number += 1 + random.nextInt(8)) {
                    farthest.accumulateAndGet(number, Math::max);
                    while (!counter.reached(number)) {
                        counter.park(number, Long.MAX_VALUE);
                    }
                }
            });
        }
        for (long number = 1; number <= TIMES; number++) {
            while (farthest.get() < number - 8) { // so that somebody waits for most of them
                Thread.onSpinWait();
            }
            counter.set(number);
        }
        for (Thread waiter : waiters) {
            waiter.join();
        }
        assertEquals(TIMES, counter.count());
    }
}
