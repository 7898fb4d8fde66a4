package org.mscclj.runtime.dump;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.mscclj.runtime.time.Deadline;

/** Threads that write dumps. The process waits for them when it ends, also by {@link System#exit}. */
final class DumpThreads {
    /** A driver that is stuck is waited for no longer, and then a file is written. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Those of this process. */
    static final DumpThreads OF_PROCESS = waitedFor();

    private final Set<Thread> writing = ConcurrentHashMap.newKeySet();

    DumpThreads() {}

    private static DumpThreads waitedFor() {
        DumpThreads threads = new DumpThreads();
        try {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> threads.awaitEnds(Deadline.after(PATIENCE)), "mscclj-dump-end"));
        } catch (IllegalStateException _) {
            // the process ends already: nobody can be made to wait
        }
        return threads;
    }

    /** Writes in a thread of its own. */
    void start(Runnable dump) {
        Thread thread = Thread.ofPlatform().name("mscclj-dump").unstarted(() -> {
            try {
                dump.run();
            } finally {
                writing.remove(Thread.currentThread());
            }
        });
        writing.add(thread);
        thread.start();
    }

    /** Waits for all that write now, no longer than until the deadline, or an interrupt. */
    void awaitEnds(Deadline deadline) {
        try {
            for (Thread thread : writing) {
                TimeUnit.NANOSECONDS.timedJoin(thread, deadline.left());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
