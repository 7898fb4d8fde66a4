package org.mscclj.backend.cuda.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks, for communicators of which launches were captured, whether a kernel has found another launch at work: replays of graphs that other software
 * captured cannot be ordered on the host. One thread for the whole process, while there is something to watch.
 */
final class OverlapWatch {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final System.Logger LOGGER = System.getLogger(OverlapWatch.class.getName());
    private static final List<AbortWord> WATCHED = new ArrayList<>();
    private static boolean running;

    private OverlapWatch() {}

    /** Watches a word until it is closed, or its communicator aborted. */
    static void watch(AbortWord word) {
        synchronized (WATCHED) {
            if (!WATCHED.contains(word)) {
                WATCHED.add(word);
            }
            if (!running) {
                running = true;
                Thread.ofPlatform().daemon().name("mscclj-cuda-overlap-watch").start(OverlapWatch::run);
            }
        }
    }

    private static void run() {
        while (true) {
            List<AbortWord> words;
            synchronized (WATCHED) {
                if (WATCHED.isEmpty()) {
                    running = false;
                    return;
                }
                words = List.copyOf(WATCHED);
            }
            for (AbortWord word : words) {
                if (!isWatchedOn(word)) {
                    synchronized (WATCHED) {
                        WATCHED.remove(word);
                    }
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static boolean isWatchedOn(AbortWord word) {
        try {
            return word.look();
        } catch (RuntimeException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING, "a communicator is not watched for overlapping launches any more", e);
            return false;
        }
    }
}
