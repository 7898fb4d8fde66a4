package org.mscclj.runtime.dump;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.mscclj.runtime.time.Deadline;

/** Threads that write dumps. The process waits for them when it ends, also by {@link System#exit}. */
final class DumpThreads {
    /**
     * How long the process waits for the threads: longer than they wait for a stuck driver, after which they write the
     * file.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** The threads of this process. */
    static final DumpThreads OF_PROCESS = waitedFor();

    private final Set<Thread> writing = ConcurrentHashMap.newKeySet();

    DumpThreads() {}

    private static DumpThreads waitedFor() {
        DumpThreads threads = new DumpThreads();
        try {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> threads.awaitEnds(Deadline.after(TIMEOUT)), "mscclj-dump-end"));
        } catch (IllegalStateException _) {
            // the process is ending already, and no longer waits for threads
        }
        return threads;
    }

    /** Runs a dump in a thread of its own. */
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

    /** Waits for all threads that write now, until the deadline or an interrupt at the latest. */
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
