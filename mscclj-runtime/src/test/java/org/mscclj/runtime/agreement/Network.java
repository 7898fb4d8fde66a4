package org.mscclj.runtime.agreement;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Carries what ranks say, in order on each link, with delays. A rank may be killed: of what it says after some more
 * messages nothing arrives, and then the others hear of its loss.
 */
final class Network implements AutoCloseable {
    private final List<Stands> stands = new ArrayList<>();
    private final Map<List<Integer>, ExecutorService> links = new ConcurrentHashMap<>();
    private final Map<Integer, AtomicInteger> left = new ConcurrentHashMap<>();
    private final Random random;
    private final long longestDelayNanos;

    Network(int ranks, long seed, long longestDelayNanos) {
        this.random = new Random(seed);
        this.longestDelayNanos = longestDelayNanos;
        for (int rank = 0; rank < ranks; rank++) {
            stands.add(new Stands());
        }
        for (int rank = 0; rank < ranks; rank++) {
            int from = rank;
            stands.get(rank)
                    .connect(rank, ranks, (to, stand, question, answer) -> send(from, to, stand, question, answer));
        }
    }

    Stands of(int rank) {
        return stands.get(rank);
    }

    /** Lets so many messages more of a rank arrive, over all links; then the others hear that it is lost. */
    void killAfter(int rank, int messages) {
        left.put(rank, new AtomicInteger(messages));
    }

    /** Tells all others that a rank is lost, after what it has said before. */
    void lose(int rank) {
        for (int to = 0; to < stands.size(); to++) {
            if (to != rank) {
                Stands other = stands.get(to);
                link(rank, to).execute(() -> other.lost(rank, "its process has ended"));
            }
        }
    }

    /** Delays all messages of a rank to another one until the returned action runs. */
    Runnable hold(int from, int to) {
        CountDownLatch released = new CountDownLatch(1);
        link(from, to).execute(() -> {
            try {
                released.await();
            } catch (InterruptedException _) {
                // the test is over
            }
        });
        return released::countDown;
    }

    private void send(int from, int to, Stand stand, long question, long answer) {
        AtomicInteger more = left.get(from);
        int arrive = more == null ? 1 : more.getAndDecrement();
        if (arrive == 0) {
            lose(from);
        }
        if (arrive <= 0) {
            return;
        }
        long delay;
        synchronized (random) {
            delay = longestDelayNanos == 0 ? 0 : random.nextLong(longestDelayNanos);
        }
        try {
            link(from, to).execute(() -> {
                LockSupport.parkNanos(delay);
                stands.get(to).heard(from, stand, question, answer);
            });
        } catch (RejectedExecutionException _) {
            // an answer to a rank whose test is over
        }
    }

    private ExecutorService link(int from, int to) {
        return links.computeIfAbsent(
                List.of(from, to),
                _ -> Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().factory()));
    }

    @Override
    public void close() {
        links.values().forEach(ExecutorService::shutdownNow);
    }
}
