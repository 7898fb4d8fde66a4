package org.mscclj.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;

/**
 * The thread that serves all sockets of the process. It accepts connections, authenticates peers, receives data, and
 * sends what a socket did not take when an operation was posted. The thread starts with the first transport that
 * connects and ends with the last. It never blocks on a peer: a slow, silent or hostile peer delays only its own
 * sockets.
 */
final class EventLoop {
    /** The attachment of a selection key. Only the loop's thread calls it; its methods must not block. */
    interface Handler {
        /** Called when the socket is readable or writable, or has connected. */
        void ready() throws IOException;

        /** Called when {@link #ready} has thrown. */
        void failed(Exception e);
    }

    /** An event with a time limit. Only the loop's thread uses it. */
    interface Timed {
        /** The limit, in nanoseconds of {@link System#nanoTime}. */
        long deadline();

        /** Called when the limit has passed. The loop has removed the deadline before. */
        void expired();
    }

    private static final long TICK_MILLIS = 50;
    private static final Map<TcpSettings, EventLoop> OPEN = new HashMap<>();

    private final TcpSettings settings;
    private final Optional<SSLContext> tls;
    private final Selector selector;
    private final Listener listener;
    private final Links links = new Links(this);
    private final UUID process = UUID.randomUUID();
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Tasks of the next round. Only the loop's thread uses it. */
    private final Queue<Runnable> turns = new ArrayDeque<>();

    private final Map<Long, TcpConnection> endpoints = new ConcurrentHashMap<>();
    private final Set<Timed> timed = new LinkedHashSet<>();
    private volatile boolean stopping;

    /** The error that has ended the thread; null while there is none. */
    private volatile @Nullable Throwable defect;

    private int users;

    private EventLoop(TcpSettings settings) throws IOException {
        this.settings = settings;
        this.tls = settings.tls().isPresent() ? Optional.of(settings.tls().get().context()) : Optional.empty();
        this.selector = Selector.open();
        try {
            this.listener = new Listener(this, settings);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e;
        }
        this.thread = Thread.ofPlatform().daemon().name("mscclj-tcp").unstarted(this::run);
    }

    /** Returns the loop of these settings and starts it if it is not running. The caller must release it. */
    static EventLoop acquire(TcpSettings settings) {
        synchronized (OPEN) {
            EventLoop loop = OPEN.get(settings);
            if (loop == null || loop.defect != null) {
                try {
                    loop = new EventLoop(settings);
                } catch (IOException e) {
                    throw new BackendException("transport tcp cannot listen: " + e.getMessage(), e);
                }
                OPEN.put(settings, loop);
                loop.thread.start();
            }
            loop.users++;
            return loop;
        }
    }

    /**
     * Releases the loop, and returns when the caller's sockets are closed: until then the thread may wake the device,
     * which the caller closes next. The release of the last user ends the thread.
     */
    void release() {
        CountDownLatch done = new CountDownLatch(1);
        synchronized (OPEN) {
            if (--users == 0) {
                OPEN.remove(settings, this);
                stopping = true;
                selector.wakeup();
                awaitUninterruptibly(done); // closed here, since the next loop may need the port
                return;
            }
        }
        execute(done::countDown);
        awaitUninterruptibly(done);
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

    /** The address at which peers reach this process. */
    InetSocketAddress address() {
        return listener.address();
    }

    /** A random id that no other loop has, on this machine or another. */
    UUID process() {
        return process;
    }

    /** The links that this process has connected. Only the loop's thread uses them. */
    Links links() {
        return links;
    }

    /**
     * Returns the channel of a socket, encrypted if TLS is configured; {@code connecting} is true on the side that
     * connects.
     */
    LaneChannel channel(SocketChannel socket, boolean connecting) throws IOException {
        if (tls.isEmpty()) {
            return new PlainChannel(socket);
        }
        SSLEngine engine = tls.get().createSSLEngine();
        engine.setUseClientMode(connecting);
        engine.setNeedClientAuth(true);
        engine.setEnabledProtocols(new String[] {TlsSettings.PROTOCOL});
        return new TlsChannel(socket, engine);
    }

    TcpSettings settings() {
        return settings;
    }

    /**
     * Registers an endpoint, so that peers can connect to it.
     *
     * @throws BackendException if the loop has ended because of an error
     */
    void add(TcpConnection connection) {
        endpoints.put(connection.id(), connection);
        Throwable reason = defect;
        if (reason != null) { // the loop fails endpoints that were added before
            endpoints.remove(connection.id());
            throw new BackendException("transport tcp cannot connect, " + ended(reason), reason);
        }
    }

    private static String ended(Throwable reason) {
        return "as its event loop ended by an error: " + reason + "; open another communicator";
    }

    void remove(TcpConnection connection) {
        endpoints.remove(connection.id());
    }

    @Nullable
    TcpConnection endpoint(long id) {
        return endpoints.get(id);
    }

    /** Runs a task soon, on the loop's thread. */
    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Runs a task after all sockets have been served in this round. Called by the loop's thread. */
    void later(Runnable turn) {
        turns.add(turn);
    }

    /** Wakes the loop's thread, so that it applies changed interests. */
    void wakeup() {
        if (!Thread.currentThread().equals(thread)) {
            selector.wakeup();
        }
    }

    /** Registers a socket. Called by the loop's thread. */
    SelectionKey register(SocketChannel channel, int interests, Handler handler) throws IOException {
        return channel.register(selector, interests, handler);
    }

    Selector selector() {
        return selector;
    }

    /** Starts watching a deadline. Called by the loop's thread. */
    void watch(Timed what) {
        timed.add(what);
    }

    /** Stops watching a deadline. Called by the loop's thread. */
    void unwatch(Timed what) {
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

    /** Fails all endpoints and sockets after the thread has ended. */
    private void abandon(Throwable reason) {
        defect = reason;
        List.copyOf(endpoints.values())
                .forEach(connection -> connection.fail("no thread serves it any more, " + ended(reason), reason));
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
            if (key.attachment() instanceof Link link) {
                link.close();
            }
            Sockets.closeQuietly(key.channel());
        }
        Sockets.closeQuietly(selector);
    }
}
