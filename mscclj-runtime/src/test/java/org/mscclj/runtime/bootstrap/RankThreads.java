package org.mscclj.runtime.bootstrap;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ranks that are threads of this JVM, although they meet as processes do. */
public final class RankThreads {
    private static final long LIMIT_SECONDS = 40;

    private RankThreads() {}

    /** What one rank does. */
    @FunctionalInterface
    public interface RankTask {
        void run(int rank) throws Exception;
    }

    /**
     * Runs ranks 0 to {@code size} − 1 side by side; throws what failed first, and what failed after it suppressed in
     * it.
     */
    public static void run(int size, RankTask task) throws Exception {
        try (Running running = new Running()) {
            for (int rank = 0; rank < size; rank++) {
                running.start(rank, task);
            }
            running.join();
        }
    }

    /** Ranks that have been started. */
    public static final class Running implements AutoCloseable {
        private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("test-rank-", 0).factory());
        private final List<Future<?>> ranks = new ArrayList<>();
        private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

        public void start(int rank, RankTask task) {
            ranks.add(threads.submit(() -> {
                try {
                    task.run(rank);
                } catch (Throwable e) {
                    failures.add(new ExecutionException("rank " + rank + ": " + e, e));
                }
            }));
        }

        /**
         * Waits for all of them. What failed first is thrown, since the others may have failed for want of that rank.
         */
        public void join() throws Exception {
            for (Future<?> rank : ranks) {
                try {
                    rank.get(LIMIT_SECONDS, TimeUnit.SECONDS);
                } catch (ExecutionException | TimeoutException e) {
                    failures.add(e);
                }
            }
            Exception first = failures.poll();
            if (first != null) {
                failures.forEach(first::addSuppressed);
                throw first;
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
