package org.mscclj.runtime.thread;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Platform threads for connections, set-up and faults. Virtual threads would share their scheduler with the virtual
 * threads of the application: an application whose virtual threads keep all carriers busy would receive no losses and
 * no aborts. The threads are daemons and inherit nothing from the thread that starts them. Safe for use by several
 * threads.
 */
public final class ControlThreads {
    /**
     * Time for which an idle thread of {@link #execute} is kept: longer than the time between two messages of a set-up.
     */
    private static final long IDLE_SECONDS = 1;

    /**
     * Threads for short tasks, and for tasks of which there are few. There are as many threads as running tasks: at
     * most one for each open connection, and one for each set-up call of a rank.
     */
    private static final ExecutorService POOL = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            builder().name("mscclj-control-", 1).factory());

    /** One thread for delayed tasks, which ends when there are none. */
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
     * @param name name of the thread
     * @throws OutOfMemoryError if the system has no thread left
     */
    public static void start(String name, Runnable task) {
        builder().name(name).start(task);
    }

    /**
     * Runs a task in an idle thread, or in a new one. Never waits.
     *
     * @throws OutOfMemoryError if the system has no thread left
     */
    public static void execute(Runnable task) {
        POOL.execute(task);
    }

    /**
     * Runs a short task after a delay, in a thread that all such tasks share. Never waits.
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
