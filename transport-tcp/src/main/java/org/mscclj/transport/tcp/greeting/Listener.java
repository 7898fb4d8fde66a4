package org.mscclj.transport.tcp.greeting;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.spi.protection.StrangerLimit;
import org.mscclj.transport.tcp.loop.EventLoop;
import org.mscclj.transport.tcp.loop.Sockets;
import org.mscclj.transport.tcp.loop.TimedTask;
import org.mscclj.transport.tcp.settings.TcpSettings;

/**
 * Accepts sockets and starts their greeting. An unauthenticated socket holds a few hundred bytes for a few seconds at
 * most. {@link StrangerLimit} limits the number of such sockets; a further one replaces the oldest.
 */
public final class Listener implements EventLoop.Handler {

    /** Size of the accept queue: small, so that accepted sockets can authenticate before many others replace them. */
    private static final int MAX_AT_ONCE = 16;

    /** Maximum number of unauthenticated peers: a few hundred ranks connect to one at the same moment. */
    private static final int BACKLOG = 1024;

    /** Time after which accepting is tried again when file descriptors ran out. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ProcessSockets sockets;
    private final EventLoop loop;
    private final ServerSocketChannel server;
    private final SelectionKey key;
    private final InetSocketAddress address;
    private final int most = StrangerLimit.ofProcess();
    private final Set<LinkInbound> strangers = new LinkedHashSet<>();

    Listener(ProcessSockets sockets, TcpSettings settings) throws IOException {
        this.sockets = sockets;
        this.loop = sockets.loop();
        this.server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            bind(settings.localAddress(), settings.ports());
            server.configureBlocking(false);
            address = (InetSocketAddress) server.getLocalAddress();
            key = loop.register(server, SelectionKey.OP_ACCEPT, this);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private void bind(InetAddress on, PortRange ports) throws IOException {
        for (int port = ports.first(); port <= ports.last(); port++) {
            try {
                server.bind(new InetSocketAddress(on, port), BACKLOG);
                return;
            } catch (BindException e) {
                if (port == ports.last()) {
                    throw new BindException("no port of " + ports + " is free on " + on.getHostAddress() + " ("
                            + e.getMessage() + "); set " + TcpSettings.PORTS + " to a range with free ports, or "
                            + TcpSettings.INTERFACE + " to another interface");
                }
            }
        }
    }

    InetSocketAddress address() {
        return address;
    }

    @Override
    public void ready() throws IOException {
        for (int accepted = 0; accepted < MAX_AT_ONCE; accepted++) {
            SocketChannel socket = server.accept();
            if (socket == null) {
                return;
            }
            try {
                Sockets.configure(socket, sockets.settings().keepAlive());
                strangers.add(new LinkInbound(sockets, socket, strangers::remove));
                if (strangers.size() > most) {
                    oldestOfMost().give("too many connect at once");
                }
            } catch (IOException e) {
                Sockets.closeQuietly(socket); // the other side has closed already
            }
        }
    }

    /**
     * Returns the oldest socket of the address that has most of them: an address that connects often replaces its own
     * sockets before those of others.
     */
    private LinkInbound oldestOfMost() {
        Map<Optional<InetAddress>, Integer> counts = new HashMap<>();
        strangers.forEach(stranger -> counts.merge(stranger.source(), 1, Integer::sum));
        int largest = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return strangers.stream()
                .filter(stranger -> counts.getOrDefault(stranger.source(), 0) == largest)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void failed(Exception e) {
        // For example, there are no file descriptors; closing an unauthenticated socket frees one.
        strangers.stream().findFirst().ifPresent(oldest -> oldest.give("no more sockets can be accepted"));
        key.interestOps(0); // otherwise the selector would report it again at once
        loop.watch(new TimedTask(PAUSE, () -> key.interestOps(SelectionKey.OP_ACCEPT)));
    }
}
