package org.mscclj.runtime.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.Work;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.waiting.Backoff;

/**
 * Completes futures when works have ended. One thread of this process polls all of them, so that no driver ever calls
 * back. The thread sleeps while there are none. Safe for use by several threads.
 */
public final class WorkWatcher {
    /** The watcher of this process. */
    public static final WorkWatcher OF_PROCESS = new WorkWatcher();

    private static final long MIN_PAUSE_NANOS = 20_000;
    private static final long MAX_PAUSE_NANOS = 1_000_000;

    private final Queue<Watched> added = new ConcurrentLinkedQueue<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("mscclj-work-watcher").unstarted(this::watch);
    private boolean started;

    /** Maximum time for which a work may look as if it waited for a closed rank, although it is ending. */
    private static final long MAX_ENDING_NANOS = 50_000_000;

    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    /** A work, and its future. */
    private static final class Watched {
        private final Work work;
        private final CompletableFuture<Void> future;
        private final RunningDeadline deadline;
        private boolean seenAborted;
        private long abortedNanos;
        private boolean inVain;
        private long inVainNanos;
        private boolean asked;

        /** The reason why it is late, once it is known. */
        private volatile @Nullable Throwable reason;

        Watched(Work work, CompletableFuture<Void> future) {
            this.work = work;
            this.future = future;
            this.deadline =
                    RunningDeadline.after(work instanceof AbortableWork abortable ? abortable.timeout() : FOR_EVER);
        }

        /** Returns whether this work need not be checked again. */
        boolean isOver() {
            if (future.isDone()) { // the application has cancelled or completed it
                return true;
            }
            try {
                if (!work.isCompleted() && !isEndedInVain()) {
                    return isLate();
                }
                work.join(Duration.ZERO); // throws the work's failure
                future.complete(null);
            } catch (RuntimeException | Error e) {
                future.completeExceptionally(e);
            }
            return true;
        }

        /**
         * Returns whether joining would stop waiting now. Then a separate thread asks the ranks why, and the future
         * ends when they have answered.
         */
        private boolean isLate() {
            if (!(work instanceof AbortableWork abortable)) {
                return false;
            }
            Throwable why = reason;
            if (why != null) {
                future.completeExceptionally(why);
                return true;
            }
            if (!asked && (deadline.left() <= 0 || isInVainForLong(abortable))) {
                asked = true;
                ControlThreads.start("mscclj-late-future", () -> ask(abortable));
            }
            return false;
        }

        /**
         * Returns whether the work has seemed to wait for a closed rank for long enough. The launches that the rank
         * made before may just be ending.
         */
        private boolean isInVainForLong(AbortableWork abortable) {
            if (!abortable.isInVain()) {
                inVain = false;
                return false;
            }
            if (!inVain) {
                inVain = true;
                inVainNanos = System.nanoTime();
            }
            return System.nanoTime() - inVainNanos >= MAX_ENDING_NANOS;
        }

        private void ask(AbortableWork late) {
            try {
                reason = late.late(late.timeout());
            } catch (RuntimeException | Error e) {
                reason = e;
            }
        }

        /**
         * Returns whether the communicator was aborted long ago. Work behind other work does not end then, nor does
         * work on a device that has failed.
         */
        private boolean isEndedInVain() {
            if (!(work instanceof AbortableWork abortable) || !abortable.isAborted()) {
                return false;
            }
            if (!seenAborted) {
                seenAborted = true;
                abortedNanos = System.nanoTime();
            }
            return System.nanoTime() - abortedNanos >= AbortableWork.MAX_END_NANOS;
        }
    }

    private WorkWatcher() {}

    /** Returns a future of a work; see {@link Work#toCompletableFuture}. */
    public CompletableFuture<Void> watch(Work work) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        added.add(new Watched(work, future));
        synchronized (this) {
            if (!started) {
                started = true;
                thread.start();
            }
        }
        LockSupport.unpark(thread);
        return future;
    }

    private void watch() {
        List<Watched> watched = new ArrayList<>();
        Backoff backoff = Backoff.napping(MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
        while (true) {
            for (Watched next = added.poll(); next != null; next = added.poll()) {
                watched.add(next);
                backoff.progressed();
            }
            if (watched.isEmpty()) {
                LockSupport.park(this); // returns at once if something was added meanwhile
                continue;
            }
            if (watched.removeIf(Watched::isOver)) {
                backoff.progressed();
            }
            Backoff.nap(backoff.nextNap());
        }
    }
}
