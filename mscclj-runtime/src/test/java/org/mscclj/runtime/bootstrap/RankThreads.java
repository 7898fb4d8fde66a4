package org.mscclj.runtime.bootstrap;

import java.util.ArrayList;
import java.util.List;
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

    /** Runs ranks 0 to {@code size} − 1 side by side; throws the first failure, the others suppressed in it. */
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

        public void start(int rank, RankTask task) {
            ranks.add(threads.submit(() -> {
                task.run(rank);
                return null;
            }));
        }

        public void join() throws Exception {
            Exception failure = null;
            for (Future<?> rank : ranks) {
                try {
                    rank.get(LIMIT_SECONDS, TimeUnit.SECONDS);
                } catch (ExecutionException | TimeoutException e) {
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
