package org.mscclj.transport.tcp.greeting;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.channel.PlainChannel;
import org.mscclj.transport.tcp.channel.TlsChannel;
import org.mscclj.transport.tcp.link.LinkStream;
import org.mscclj.transport.tcp.loop.EventLoop;
import org.mscclj.transport.tcp.settings.TcpSettings;
import org.mscclj.transport.tcp.settings.TlsSettings;

/**
 * The sockets of this process with the same settings, and the endpoints to which peers connect by them. One
 * {@link EventLoop} accepts connections, authenticates peers, receives data, and sends what a socket did not take when
 * an operation was posted. The loop starts with the first transport that connects and ends with the last.
 */
public final class ProcessSockets {
    private static final Map<TcpSettings, ProcessSockets> OPEN = new HashMap<>();

    private final TcpSettings settings;
    private final Optional<SSLContext> tls;
    private final EventLoop loop;
    private final Listener listener;
    private final Links links;
    private final UUID process = UUID.randomUUID();
    private final Map<Long, LocalEndpoint> endpoints = new ConcurrentHashMap<>();
    private int users;

    private ProcessSockets(TcpSettings settings) throws IOException {
        this.settings = settings;
        this.tls = settings.tls().isPresent() ? Optional.of(settings.tls().get().context()) : Optional.empty();
        this.loop = new EventLoop(this::failEndpoints);
        this.links = new Links(this);
        try {
            this.listener = new Listener(this, settings);
        } catch (IOException | RuntimeException e) {
            loop.discard();
            throw e;
        }
    }

    /** Returns the sockets of these settings; listens first if none are open. The caller must release them. */
    public static ProcessSockets acquire(TcpSettings settings) {
        synchronized (OPEN) {
            ProcessSockets sockets = OPEN.get(settings);
            if (sockets == null || sockets.loop.defect() != null) {
                try {
                    sockets = new ProcessSockets(settings);
                } catch (IOException e) {
                    throw new BackendException("transport tcp cannot listen: " + e.getMessage(), e);
                }
                OPEN.put(settings, sockets);
                sockets.loop.start();
            }
            sockets.users++;
            return sockets;
        }
    }

    /**
     * Releases the sockets, and returns when the caller's sockets are closed: until then the loop's thread may wake the
     * device, which the caller closes next. The release of the last user ends the thread.
     */
    public void release() {
        synchronized (OPEN) {
            if (--users == 0) {
                OPEN.remove(settings, this);
                loop.stop(); // closed here, since the next loop may need the port
                return;
            }
        }
        loop.sync();
    }

    public EventLoop loop() {
        return loop;
    }

    public TcpSettings settings() {
        return settings;
    }

    /** The time that a socket may take to authenticate, and that a link may be without a stream. */
    public Duration strangerTimeout() {
        return settings.timeout().dividedBy(2);
    }

    /** The address at which peers reach this process. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** A random id that no other loop has, on this machine or another. */
    public UUID process() {
        return process;
    }

    /** Starts the greeting of a stream that a peer has opened; {@code onEnd} runs when it has ended. */
    public void greet(LinkStream stream, Runnable onEnd) {
        StreamInbound.start(this, stream, onEnd);
    }

    /** The links that this process has connected. Only the loop's thread uses them. */
    public Links links() {
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

    /**
     * Registers an endpoint, so that peers can connect to it.
     *
     * @throws BackendException if the loop has ended because of an error
     */
    public void add(LocalEndpoint endpoint) {
        endpoints.put(endpoint.id(), endpoint);
        Throwable reason = loop.defect();
        if (reason != null) { // the loop fails endpoints that were added before
            endpoints.remove(endpoint.id());
            throw new BackendException("transport tcp cannot connect, " + ended(reason), reason);
        }
    }

    private static String ended(Throwable reason) {
        return "as its event loop ended by an error: " + reason + "; open another communicator";
    }

    public void remove(LocalEndpoint endpoint) {
        endpoints.remove(endpoint.id());
    }

    @Nullable
    LocalEndpoint endpoint(long id) {
        return endpoints.get(id);
    }

    /** Fails all endpoints after an error has ended the loop's thread. */
    private void failEndpoints(Throwable reason) {
        List.copyOf(endpoints.values())
                .forEach(endpoint -> endpoint.fail("no thread serves it any more, " + ended(reason), reason));
    }
}
