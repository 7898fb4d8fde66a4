package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mscclj.spi.waiting.Backoff;

/**
 * Watches communicators with captured launches, and aborts one if a kernel has found another launch at work. The host
 * cannot order replays of graphs that other software captured. One thread serves the whole process while there is
 * something to watch.
 */
final class OverlapWatch {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final System.Logger LOGGER = System.getLogger(OverlapWatch.class.getName());
    private static final List<CapturedState> WATCHED = new ArrayList<>();
    private static boolean running;

    private OverlapWatch() {}

    /** Watches a state until it is closed or its communicator is aborted. */
    static void watch(CapturedState state) {
        synchronized (WATCHED) {
            if (!WATCHED.contains(state)) {
                WATCHED.add(state);
            }
            if (!running) {
                Thread.ofPlatform().daemon().name("mscclj-gpu-overlap-watch").start(OverlapWatch::run);
                running = true; // last: if no thread can be started, the next call tries again
            }
        }
    }

    private static void run() {
        try {
            watchAll();
        } catch (RuntimeException | Error e) {
            synchronized (WATCHED) {
                running = false; // the next call starts another thread, which watches all
            }
            throw e;
        }
    }

    private static void watchAll() {
        while (true) {
            List<CapturedState> states;
            synchronized (WATCHED) {
                if (WATCHED.isEmpty()) {
                    running = false;
                    return;
                }
                states = List.copyOf(WATCHED);
            }
            for (CapturedState state : states) {
                if (!isWatchedOn(state)) {
                    synchronized (WATCHED) {
                        WATCHED.remove(state);
                    }
                }
            }
            Backoff.nap(PAUSE_NANOS);
        }
    }

    private static boolean isWatchedOn(CapturedState state) {
        try {
            return state.look();
        } catch (RuntimeException | Error e) { // any failure: the other states must be watched on
            LOGGER.log(
                    System.Logger.Level.WARNING, "a communicator is not watched for overlapping launches any more", e);
            return false;
        }
    }
}
