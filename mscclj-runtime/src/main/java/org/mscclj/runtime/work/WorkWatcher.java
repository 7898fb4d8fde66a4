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

/**
 * Completes futures when works have ended: one thread of this process looks at all of them, so that no driver ever
 * calls back. It sleeps while there are none. Safe for use by several threads.
 */
public final class WorkWatcher {
    /** The one of this process. */
    public static final WorkWatcher OF_PROCESS = new WorkWatcher();

    private static final long SHORTEST_PAUSE_NANOS = 20_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;

    private final Queue<Watched> added = new ConcurrentLinkedQueue<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("mscclj-work-watcher").unstarted(this::watch);
    private boolean started;

    /** How long something may look as if it waited for a rank that has closed. */
    private static final long LONGEST_ENDING_NANOS = 50_000_000;

    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    /** A work, and who waits for it. */
    private static final class Watched {
        private final Work work;
        private final CompletableFuture<Void> future;
        private final RunningDeadline deadline;
        private boolean seenAborted;
        private long abortedNanos;
        private boolean inVain;
        private long inVainNanos;
        private boolean asked;

        /** Why it is late, when that is known. */
        private volatile @Nullable Throwable reason;

        Watched(Work work, CompletableFuture<Void> future) {
            this.work = work;
            this.future = future;
            this.deadline =
                    RunningDeadline.after(work instanceof AbortableWork abortable ? abortable.timeout() : FOR_EVER);
        }

        /** Whether this needs no more looks. */
        boolean isOver() {
            if (future.isDone()) { // somebody has cancelled it, or completed it
                return true;
            }
            try {
                if (!work.isCompleted() && !isEndedInVain()) {
                    return isLate();
                }
                work.join(Duration.ZERO); // throws what went wrong
                future.complete(null);
            } catch (RuntimeException | Error e) {
                future.completeExceptionally(e);
            }
            return true;
        }

        /**
         * Whether joining would wait no longer. Then ranks are asked why, in a thread of its own, and the future ends
         * when they have answered.
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

        /** Whether it waits for a rank that has closed: what ranks have launched before may just be ending. */
        private boolean isInVainForLong(AbortableWork abortable) {
            if (!abortable.isInVain()) {
                inVain = false;
                return false;
            }
            if (!inVain) {
                inVain = true;
                inVainNanos = System.nanoTime();
            }
            return System.nanoTime() - inVainNanos >= LONGEST_ENDING_NANOS;
        }

        private void ask(AbortableWork late) {
            try {
                reason = late.late(late.timeout());
            } catch (RuntimeException | Error e) {
                reason = e;
            }
        }

        /**
         * Whether the communicator was aborted long ago: what is behind something else does not end, nor what is on a
         * device that has failed.
         */
        private boolean isEndedInVain() {
            if (!(work instanceof AbortableWork abortable) || !abortable.isAborted()) {
                return false;
            }
            if (!seenAborted) {
                seenAborted = true;
                abortedNanos = System.nanoTime();
            }
            return System.nanoTime() - abortedNanos >= AbortableWork.LONGEST_END_NANOS;
        }
    }

    private WorkWatcher() {}

    /** A future of a work; see {@link Work#toCompletableFuture}. */
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
        long pause = SHORTEST_PAUSE_NANOS;
        while (true) {
            for (Watched next = added.poll(); next != null; next = added.poll()) {
                watched.add(next);
                pause = SHORTEST_PAUSE_NANOS;
            }
            if (watched.isEmpty()) {
                LockSupport.park(this); // returns at once if something was added meanwhile
                continue;
            }
            boolean progress = watched.removeIf(Watched::isOver);
            pause = progress ? SHORTEST_PAUSE_NANOS : Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            LockSupport.parkNanos(this, pause);
        }
    }
}
