package org.mscclj.gpu.occupancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.gpu.context.Gpu;

/** What is done while nobody has a kernel on a GPU, of which there is none: launchers say what they like. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeviceQuiescenceTest {
    private static final AtomicInteger LAST_GPU = new AtomicInteger(1000);
    private static final long A_WHILE_MILLIS = 50;

    private final DeviceQuiescence moments =
            DeviceQuiescence.of(new Gpu(CudaDriver.INSTANCE, LAST_GPU.incrementAndGet()));
    private final List<String> done = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();

    private static final class Someone implements DeviceQuiescence.Launcher {
        private final ReentrantLock lock = new ReentrantLock();
        private volatile BooleanSupplier idle = () -> false;

        @Override
        public Lock lock() {
            return lock;
        }

        @Override
        public boolean isQuiet() {
            assertTrue(lock.isHeldByCurrentThread());
            return idle.getAsBoolean();
        }

        void isQuietFromNowOn() {
            idle = () -> true;
        }

        /** Whether another thread than the one that has a moment could launch. */
        boolean mayLaunch() {
            return CompletableFuture.supplyAsync(() -> {
                        boolean free = lock.tryLock();
                        if (free) {
                            lock.unlock();
                        }
                        return free;
                    })
                    .join();
        }
    }

    private Someone someone() {
        Someone launcher = new Someone();
        moments.add(launcher);
        return launcher;
    }

    /** What he launches has ended when it has been asked about so often, and he has launched nothing else. */
    private Someone someoneBusy() {
        Someone launcher = someone();
        launcher.idle = () -> asked.incrementAndGet() > 1000;
        return launcher;
    }

    private void launchUntilDone(Someone busy, CompletableFuture<?> waiter) throws InterruptedException {
        while (!waiter.isDone()) {
            busy.lock.lock();
            asked.set(0);
            busy.lock.unlock();
            Thread.sleep(0, 100_000);
        }
    }

    private CompletableFuture<String> awaitInAnotherThread() {
        return CompletableFuture.supplyAsync(() -> moments.await(() -> "done"));
    }

    private static void assertWaits(CompletableFuture<?> waiter) {
        assertThrows(TimeoutException.class, () -> waiter.get(A_WHILE_MILLIS, TimeUnit.MILLISECONDS));
    }

    @Test
    void nobodyLaunchesWhileSomethingIsDone() {
        Someone first = someone();
        Someone second = someone();
        first.isQuietFromNowOn();
        second.isQuietFromNowOn();
        assertEquals("done", moments.await(() -> {
            assertFalse(first.mayLaunch());
            assertFalse(second.mayLaunch());
            return "done";
        }));
        assertTrue(first.mayLaunch());
        assertTrue(second.mayLaunch());
    }

    @Test
    void kernelsAreWaitedForAndMayBeFollowedByOthers() throws Exception {
        Someone first = someone();
        Someone second = someone();
        CompletableFuture<String> waiter = awaitInAnotherThread();
        assertWaits(waiter);
        // Sooner or later: while the locks are held, for longer and longer, they are given back as long in between.
        while (!first.lock.tryLock()) {
            Thread.onSpinWait();
        }
        first.isQuietFromNowOn();
        first.lock.unlock();
        assertWaits(waiter);
        second.isQuietFromNowOn();
        assertEquals("done", waiter.get());
    }

    @Test
    void whoWaitsCanBeTurnedAway() throws Exception {
        Someone busy = someone();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<String> waiter = CompletableFuture.supplyAsync(() -> moments.await(
                () -> {
                    if (over.get()) {
                        throw new AbortedException("on purpose");
                    }
                },
                () -> "done"));
        assertWaits(waiter);
        over.set(true);
        ExecutionException e = assertThrows(ExecutionException.class, waiter::get);
        assertInstanceOf(AbortedException.class, e.getCause());
        while (!busy.mayLaunch()) {
            Thread.onSpinWait();
        }
        busy.isQuietFromNowOn();
        assertEquals("done", moments.await(() -> "done"));
    }

    @Test
    void whoLaunchesIsNotDisturbed() throws Exception {
        Someone launcher = someone();
        launcher.isQuietFromNowOn();
        launcher.lock.lock();
        CompletableFuture<String> waiter = awaitInAnotherThread();
        assertWaits(waiter);
        launcher.lock.unlock();
        assertEquals("done", waiter.get());
    }

    /** There are launches in flight all the time, each of which ends after a while. */
    @Test
    void aMomentIsMadeWhereNoneComes() throws Exception {
        Someone launcher = someoneBusy();
        CompletableFuture<String> waiter = awaitInAnotherThread();
        launchUntilDone(launcher, waiter);
        assertEquals("done", waiter.get());
    }

    @Test
    void whoWaitsForSoLongOnlyGoesOn() {
        Someone busy = someone();
        assertEquals("done", moments.await(Duration.ofMillis(1), () -> {
            assertTrue(busy.mayLaunch());
            return "done";
        }));
    }

    @Test
    void whatNeedNotBeDoneNowIsDoneWhenAKernelHasEnded() {
        Someone launcher = someone();
        moments.soon(() -> done.add("first"));
        moments.soon(() -> done.add("second"));
        assertEquals(List.of(), done);
        launcher.isQuietFromNowOn();
        moments.soon(() -> done.add("third"));
        assertEquals(List.of("third", "first", "second"), done);
    }

    @Test
    void whatWaitsIsDoneWithWhatIsAwaited() {
        Someone launcher = someone();
        moments.soon(() -> done.add("later"));
        launcher.isQuietFromNowOn();
        String awaited = moments.await(() -> "awaited");
        assertEquals(List.of("later"), done);
        assertEquals("awaited", awaited);
    }

    @Test
    void whatWaitsIsDoneWhenTheLastGoes() {
        Someone busy = someone();
        Someone other = someone();
        other.isQuietFromNowOn();
        moments.soon(() -> done.add("later"));
        moments.remove(other);
        assertEquals(List.of(), done);
        moments.remove(busy);
        assertEquals(List.of("later"), done);
    }

    @Test
    void failuresBelongToWhoAsked() {
        Someone launcher = someone();
        IllegalStateException failure = new IllegalStateException("cannot be freed");
        moments.soon(() -> {
            throw failure;
        });
        launcher.isQuietFromNowOn();
        moments.soon(() -> done.add("after it"));
        assertEquals(List.of("after it"), done);
        assertSame(
                failure,
                assertThrows(
                        IllegalStateException.class,
                        () -> moments.soon(() -> {
                            throw failure;
                        })));
        assertSame(
                failure,
                assertThrows(
                        IllegalStateException.class,
                        () -> moments.await(() -> {
                            throw failure;
                        })));
        assertTrue(launcher.mayLaunch());
    }

    /** Who launched is told of it, when he launches or is watched; it is no failure of who loads something. */
    @Test
    void whoCannotBeAskedIsNotWaitedFor() {
        Someone launcher = someone();
        launcher.idle = () -> {
            throw new IllegalStateException("the GPU is gone");
        };
        assertEquals("done", moments.await(() -> "done"));
        assertTrue(launcher.mayLaunch());
    }

    /** Without pauses, in which he may launch whom a kernel waits for, nothing ends. */
    @Test
    void whoIsInterruptedPausesAllTheSame() throws Exception {
        Someone launcher = someone();
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
            Thread.currentThread().interrupt();
            moments.await(() -> "done");
            return Thread.interrupted();
        });
        for (int i = 0; i < 20; i++) {
            assertTrue(launcher.lock.tryLock(1, TimeUnit.SECONDS));
            Thread.sleep(1);
            launcher.lock.unlock();
        }
        launcher.isQuietFromNowOn();
        assertTrue(interrupted.get());
    }

    /** Those who look for a moment together keep launches out no longer than one alone would. */
    @Test
    void launchesAreKeptOutForHalfOfTheTimeAtMost() throws Exception {
        Someone launcher = new Someone();
        AtomicLong lastAsked = new AtomicLong(System.nanoTime());
        AtomicLong held = new AtomicLong();
        launcher.idle = () -> {
            long now = System.nanoTime();
            long sinceLast = now - lastAsked.getAndSet(now);
            held.addAndGet(sinceLast < 200_000 ? sinceLast : 0); // between questions in a row nobody launches
            return false;
        };
        moments.add(launcher);
        List<CompletableFuture<String>> waiters = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < 4; i++) {
            waiters.add(CompletableFuture.supplyAsync(
                    () -> moments.await(Duration.ofMillis(800), () -> "done"), Thread::startVirtualThread));
        }
        for (CompletableFuture<String> waiter : waiters) {
            waiter.get();
        }
        double share = (double) held.get() / (System.nanoTime() - start);
        assertTrue(share < 0.7, () -> "launches were kept out for " + share + " of the time");
    }

    @Test
    void aCaptureIsNoReasonToGoOn() throws Exception {
        Someone launcher = someone();
        launcher.idle = () -> {
            throw new BackendException("cuEventRecord failed", 906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT");
        };
        CompletableFuture<String> waiter = awaitInAnotherThread();
        assertWaits(waiter);
        launcher.isQuietFromNowOn();
        assertEquals("done", waiter.get());
    }

    @Test
    void whatWaitsDoesNotGrowForEver() throws Exception {
        Someone launcher = someoneBusy();
        AtomicInteger freed = new AtomicInteger();
        AtomicInteger mostWaiting = new AtomicInteger();
        CompletableFuture<Void> closer = CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= 500; i++) {
                moments.soon(freed::incrementAndGet);
                mostWaiting.accumulateAndGet(i - freed.get(), Math::max);
            }
        });
        launchUntilDone(launcher, closer);
        closer.get();
        assertTrue(mostWaiting.get() < 100, mostWaiting::toString);
    }
}
