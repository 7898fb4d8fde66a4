package org.mscclj.runtime.store;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.bootstrap.StoreServer;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.bootstrap.HostAddresses;
import org.mscclj.runtime.socket.Acceptor;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.socket.Credentials;
import org.mscclj.runtime.socket.Handshake;
import org.mscclj.runtime.socket.Listeners;
import org.mscclj.runtime.socket.Purpose;
import org.mscclj.runtime.socket.SharedSecret;
import org.mscclj.runtime.socket.SocketSecurity;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.runtime.time.Deadline;

/** Keeps a store in memory and serves it. Each connection has its own thread, which waits while its client does. */
public final class TcpStoreServer implements StoreServer {
    /** Interval at which the server checks whether a waiting client is still connected. */
    private static final Duration LOOK = Duration.ofMillis(500);

    private static final Duration GLANCE = Duration.ofMillis(1);

    private final StoreAddress address;
    private final MemoryStore store = new MemoryStore();
    private final Acceptor acceptor;
    private final Set<ControlSocket> clients = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Maximum time to look up an unknown name. */
    private static final Duration LOOK_UP = Duration.ofSeconds(5);

    /** Starts to serve. */
    public TcpStoreServer(StoreAddress wanted) {
        RendezvousAddress where = wanted.address();
        ServerSocket listener = Listeners.bind(HostAddresses.toBind(where, Deadline.after(LOOK_UP)), where.ports());
        int port = listener.getLocalPort();
        this.address = new StoreAddress(
                new RendezvousAddress(where.interfaceName(), where.host(), new PortRange(port, port)),
                wanted.secret(),
                wanted.tls());
        this.acceptor =
                new Acceptor(listener, credentials(wanted, 0), Purpose.STORE, (client, socket) -> arrived(socket));
    }

    /** The server is rank 0 of 2, and all clients are rank 1. */
    static Credentials credentials(StoreAddress address, int side) {
        return new Credentials(
                new Handshake(SharedSecret.of(address.secret()), side, 2),
                SocketSecurity.of(address.tls()),
                Credentials.USUAL_LIMIT);
    }

    private void arrived(ControlSocket socket) {
        clients.add(socket);
        ControlThreads.start("mscclj-store-" + acceptor.port(), () -> serve(socket));
    }

    private void serve(ControlSocket socket) {
        try (socket) {
            while (!closed) {
                StoreReply reply = answer(socket, StoreRequest.decode(socket.read()));
                socket.write(StoreReply.encode(reply));
                socket.flush();
            }
        } catch (IOException | RuntimeException e) {
            // the client has gone, or does not follow the protocol
        } finally {
            clients.remove(socket);
        }
    }

    /** Returns the number of connected clients. */
    int clients() {
        return clients.size();
    }

    /** Waits on behalf of a client, for as long as the client is connected. */
    private static <T> T whileConnected(ControlSocket client, Duration timeout, Function<Deadline, T> wait)
            throws IOException {
        Deadline deadline = Deadline.after(timeout);
        client.readTimeout(GLANCE);
        try {
            while (true) {
                try {
                    return wait.apply(deadline.earlier(Deadline.after(LOOK)));
                } catch (OperationTimeoutException e) {
                    if (deadline.left() == 0) {
                        throw e;
                    }
                    boolean _ = client.awaitFrame(); // throws if the client has gone
                }
            }
        } finally {
            client.readTimeout(Duration.ZERO);
        }
    }

    private StoreReply answer(ControlSocket client, StoreRequest request) throws IOException {
        try {
            return switch (request) {
                case StoreRequest.Set r -> {
                    store.set(r.key(), r.value());
                    yield new StoreReply.WholeNumber(1);
                }
                case StoreRequest.Get r ->
                    new StoreReply.Value(Optional.of(
                            whileConnected(client, r.timeout(), until -> store.get(r.key(), until, r.timeout()))));
                case StoreRequest.Find r -> new StoreReply.Value(store.find(r.key()));
                case StoreRequest.Add r -> new StoreReply.WholeNumber(store.add(r.key(), r.amount()));
                case StoreRequest.Await r -> {
                    boolean _ = whileConnected(client, r.timeout(), until -> {
                        store.await(r.keys(), until, r.timeout());
                        return true;
                    });
                    yield new StoreReply.WholeNumber(1);
                }
                case StoreRequest.Delete r -> new StoreReply.WholeNumber(store.delete(r.key()) ? 1 : 0);
            };
        } catch (RuntimeException e) {
            return closed // then the store refuses everything, which is not the client's fault
                    ? new StoreReply.Failed(StoreReply.Failure.ENDED, this + " was closed")
                    : StoreReply.Failed.of(e);
        }
    }

    @Override
    public StoreAddress address() {
        return address;
    }

    @Override
    public void set(String key, byte[] value) {
        store.set(key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        return store.get(key, timeout);
    }

    @Override
    public Optional<byte[]> find(String key) {
        return store.find(key);
    }

    @Override
    public long add(String key, long amount) {
        return store.add(key, amount);
    }

    @Override
    public void await(List<String> keys, Duration timeout) {
        store.await(keys, timeout);
    }

    @Override
    public boolean delete(String key) {
        return store.delete(key);
    }

    @Override
    public void close() {
        closed = true;
        acceptor.close();
        store.close();
        clients.forEach(ControlSocket::close);
    }

    @Override
    public String toString() {
        return "the store served at " + address.address();
    }
}
