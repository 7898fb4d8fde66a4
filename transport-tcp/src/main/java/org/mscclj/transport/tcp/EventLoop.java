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
 * The thread that serves all sockets of the process: it accepts, greets, receives, and sends what did not fit into a
 * socket when it was posted. It starts with the first transport that connects and ends with the last. It never waits
 * for a peer, and a peer that is slow, silent or hostile costs it nothing but its own sockets.
 */
final class EventLoop {
    /** What a selection key is attached to. Called by the loop's thread alone; must not block. */
    interface Handler {
        /** The socket can be read, written, or has connected. */
        void ready() throws IOException;

        /** {@link #ready} threw. */
        void failed(Exception e);
    }

    /** Something that must have happened by a certain time. Used by the loop's thread alone. */
    interface Timed {
        /** When, as of {@link System#nanoTime}. */
        long deadline();

        /** It has not. The loop has forgotten about it. */
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

    /** What goes on in the next round; of the loop's thread. */
    private final Queue<Runnable> turns = new ArrayDeque<>();

    private final Map<Long, TcpConnection> endpoints = new ConcurrentHashMap<>();
    private final Set<Timed> timed = new LinkedHashSet<>();
    private volatile boolean stopping;

    /** Why the thread ended too early. */
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

    /** The loop of these settings, started if it is not running. To be released. */
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
     * Gives the loop back, and returns when the user's sockets are closed: until then the thread may wake a device,
     * which is closed next. The last user ends it.
     */
    void release() {
        CountDownLatch done = new CountDownLatch(1);
        synchronized (OPEN) {
            if (--users == 0) {
                OPEN.remove(settings, this);
                stopping = true;
                selector.wakeup();
                awaitUninterruptibly(done); // here, as whoever comes next may need the port
                return;
            }
        }
        execute(done::countDown);
        awaitUninterruptibly(done);
    }

    /** Waits for a task of the thread, or for its end. */
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

    /** Where peers reach this process. */
    InetSocketAddress address() {
        return listener.address();
    }

    /** What tells this loop from all others, wherever they run. */
    UUID process() {
        return process;
    }

    /** What this process has connected; for the loop's thread. */
    Links links() {
        return links;
    }

    /** A socket, encrypted if that is configured; {@code connecting} says on which side. */
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
     * Makes an end known to peers that will connect to it.
     *
     * @throws BackendException if the loop has ended because of an error
     */
    void add(TcpConnection connection) {
        endpoints.put(connection.id(), connection);
        Throwable reason = defect;
        if (reason != null) { // what was added before is failed by the loop
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

    /** Lets the loop's thread do something soon. */
    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Lets something go on when all sockets have had their turn; by the loop's thread. */
    void later(Runnable turn) {
        turns.add(turn);
    }

    /** Makes the loop's thread look at changed interests. */
    void wakeup() {
        if (!Thread.currentThread().equals(thread)) {
            selector.wakeup();
        }
    }

    /** Registers a socket; by the loop's thread. */
    SelectionKey register(SocketChannel channel, int interests, Handler handler) throws IOException {
        return channel.register(selector, interests, handler);
    }

    Selector selector() {
        return selector;
    }

    /** Begins to watch a deadline; by the loop's thread. */
    void watch(Timed what) {
        timed.add(what);
    }

    /** Ends watching; by the loop's thread. */
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

    /** Fails what nobody serves any more. */
    private void abandon(Throwable reason) {
        defect = reason;
        List.copyOf(endpoints.values())
                .forEach(connection -> connection.fail("it is not served any more, " + ended(reason), reason));
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

    /** One each: what wants another turn has it in the next round. */
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
            // closed by what was handled before it
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
