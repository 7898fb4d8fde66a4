package org.mscclj.runtime.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.UniqueId;

/** Ranks that open communicators as processes do, over TCP, but are threads of this JVM. */
final class RankThreads {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private RankThreads() {}

    /** What one rank does. */
    @FunctionalInterface
    interface RankTask {
        void run(int rank) throws Exception;
    }

    /** What one rank does with its communicator. */
    @FunctionalInterface
    interface CommunicatorTask {
        void run(Communicator communicator) throws Exception;
    }

    /** Runs ranks side by side; throws the first failure, the others suppressed in it. */
    static void run(int size, RankTask task) throws Exception {
        List<Future<?>> ranks = new ArrayList<>();
        Exception failure = null;
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("rank-", 0).factory());
        try {
            for (int rank = 0; rank < size; rank++) {
                int own = rank;
                ranks.add(threads.submit(() -> {
                    task.run(own);
                    return null;
                }));
            }
            for (Future<?> rank : ranks) {
                try {
                    rank.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                } catch (ExecutionException | TimeoutException e) {
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
        } finally {
            threads.shutdownNow();
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Opens a communicator on every rank, and closes it in the end. */
    static void open(int size, Duration timeout, CommunicatorTask task) throws Exception {
        UniqueId id = UniqueId.create();
        run(size, rank -> {
            try (Communicator communicator = Communicator.open(
                    CommunicatorOptions.rank(rank, size).uniqueId(id).timeout(timeout))) {
                task.run(communicator);
            }
        });
    }
}
