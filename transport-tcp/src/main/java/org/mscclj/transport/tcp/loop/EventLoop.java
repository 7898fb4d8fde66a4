package org.mscclj.transport.tcp.loop;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for sockets and time limits, and calls their handlers. It never blocks on a peer: a slow, silent
 * or hostile peer delays only its own sockets.
 */
public final class EventLoop {
    /** The attachment of a selection key. Only the loop's thread calls it; its methods must not block. */
    public interface Handler {
        /** Called when the socket is readable or writable, or has connected. */
        void ready() throws IOException;

        /** Called when {@link #ready} has thrown. */
        void failed(Exception e);

        /** Called when the loop has ended, before it closes the socket. */
        default void loopEnded() {
            // the loop closes the socket
        }
    }

    /** An event with a time limit. Only the loop's thread uses it. */
    public interface Timed {
        /** The limit, in nanoseconds of {@link System#nanoTime}. */
        long deadline();

        /** Called when the limit has passed. The loop has removed the deadline before. */
        void expired();
    }

    private static final long TICK_MILLIS = 50;

    private final Consumer<Throwable> onDefect;
    private final Selector selector;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Tasks of the next round. Only the loop's thread uses it. */
    private final Queue<Runnable> turns = new ArrayDeque<>();

    private final Set<Timed> timed = new LinkedHashSet<>();
    private volatile boolean stopping;

    /** The error that has ended the thread; null while there is none. */
    private volatile @Nullable Throwable defect;

    /**
     * Creates a loop that does not run yet.
     *
     * @param onDefect called by the loop's thread when an error has ended it
     */
    public EventLoop(Consumer<Throwable> onDefect) throws IOException {
        this.onDefect = onDefect;
        this.selector = Selector.open();
        this.thread = Thread.ofPlatform().daemon().name("mscclj-tcp").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Frees the resources of a loop that was never started. */
    public void discard() throws IOException {
        selector.close();
    }

    /** Ends the thread, and returns when all sockets are closed. */
    public void stop() {
        stopping = true;
        selector.wakeup();
        awaitUninterruptibly(new CountDownLatch(1));
    }

    /** Returns when the tasks that were added before have run, or the thread has ended. */
    public void sync() {
        CountDownLatch done = new CountDownLatch(1);
        execute(done::countDown);
        awaitUninterruptibly(done);
    }

    /** Returns the error that has ended the thread; null while there is none. */
    @Nullable
    public Throwable defect() {
        return defect;
    }

    /** Waits for a task of the thread, or for the end of the thread. */
    private void awaitUninterruptibly(CountDownLatch task) {
        boolean interrupted = false;
        while (thread.isAlive() && task.getCount() > 0) {
            try {
                if (stopping) {
                    thread.join();
                } else {
                    boolean _ = task.await(TICK_MILLIS, TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a task soon, on the loop's thread. */
    public void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Runs a task after all sockets have been served in this round. Called by the loop's thread. */
    public void later(Runnable turn) {
        turns.add(turn);
    }

    /** Wakes the loop's thread, so that it applies changed interests. */
    public void wakeup() {
        if (!Thread.currentThread().equals(thread)) {
            selector.wakeup();
        }
    }

    /** Registers a socket. Called by the loop's thread, or before it starts. */
    public SelectionKey register(SelectableChannel channel, int interests, Handler handler) throws IOException {
        return channel.register(selector, interests, handler);
    }

    /** The selector of the registered sockets. Only the loop's thread uses it. */
    public Selector selector() {
        return selector;
    }

    /** Starts watching a deadline. Called by the loop's thread. */
    public void watch(Timed what) {
        timed.add(what);
    }

    /** Stops watching a deadline. Called by the loop's thread. */
    public void unwatch(Timed what) {
        timed.remove(what);
    }

    private void run() {
        try {
            while (!stopping) {
                select();
                runTasks();
                takeTurns();
                expire();
            }
            runTasks();
        } catch (IOException | RuntimeException | Error e) {
            abandon(e);
        } finally {
            close();
        }
    }

    /** Notifies the owner that the thread has ended, and runs the remaining tasks. */
    private void abandon(Throwable reason) {
        defect = reason;
        onDefect.accept(reason);
        while (!tasks.isEmpty()) {
            try {
                runTasks();
            } catch (RuntimeException | Error e) {
                reason.addSuppressed(e);
            }
        }
    }

    private void select() throws IOException {
        if (turns.isEmpty()) {
            selector.select(EventLoop::handle, timed.isEmpty() ? 0 : TICK_MILLIS);
        } else {
            selector.selectNow(EventLoop::handle);
        }
    }

    /** Runs each task once; a task that a task adds runs in the next round. */
    private void takeTurns() {
        for (int left = turns.size(); left > 0; left--) {
            turns.remove().run();
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private static void handle(SelectionKey key) {
        Handler handler = (Handler) key.attachment();
        try {
            handler.ready();
        } catch (CancelledKeyException e) {
            // closed by a handler that ran before
        } catch (IOException | RuntimeException e) {
            handler.failed(e);
        }
    }

    private void expire() {
        if (timed.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        List<Timed> due =
                timed.stream().filter(what -> what.deadline() - now <= 0).toList();
        due.forEach(timed::remove);
        due.forEach(Timed::expired);
    }

    private void close() {
        List<SelectionKey> keys = new ArrayList<>(selector.keys());
        for (SelectionKey key : keys) {
            if (key.attachment() instanceof Handler handler) {
                handler.loopEnded();
            }
            Sockets.closeQuietly(key.channel());
        }
        Sockets.closeQuietly(selector);
    }
}
