package org.mscclj.runtime.thread;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Platform threads for connections, set-up and faults. Virtual threads would share their scheduler with those of the
 * application: an application whose virtual threads keep all carriers busy would hear of no loss and no abort. The
 * threads are daemons and inherit nothing from the thread that starts them. Safe for use by several threads.
 */
public final class ControlThreads {
    /** How long an idle thread of {@link #execute} is kept: longer than from one message of a set-up to the next. */
    private static final long IDLE_SECONDS = 1;

    /**
     * Threads for tasks that are short or few. There are as many as tasks under way: at most one for each open
     * connection, and one for each set-up call of a rank.
     */
    private static final ExecutorService POOL = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            builder().name("mscclj-control-", 1).factory());

    /** One thread for what is due later, which ends when nothing is. */
    private static final ScheduledThreadPoolExecutor LATER = later();

    private ControlThreads() {}

    private static ScheduledThreadPoolExecutor later() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(
                1, builder().name("mscclj-control-later").factory());
        executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /**
     * Starts a thread.
     *
     * @param name of the thread
     * @throws OutOfMemoryError if the system has no thread left
     */
    public static void start(String name, Runnable task) {
        builder().name(name).start(task);
    }

    /**
     * Runs a task in a thread that others have used before, or in a new one. Never waits.
     *
     * @throws OutOfMemoryError if the system has no thread left
     */
    public static void execute(Runnable task) {
        POOL.execute(task);
    }

    /**
     * Runs a short task after a while, in a thread that all such tasks share. Never waits.
     *
     * @param task throws nothing, and does not block
     * @throws OutOfMemoryError if the system has no thread left
     */
    public static void executeLater(Runnable task, long nanos) {
        ScheduledFuture<?> _ = LATER.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    private static Thread.Builder.OfPlatform builder() {
        return Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false);
    }
}
