package org.mscclj.runtime.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.bootstrap.HostAddresses;
import org.mscclj.runtime.socket.Connector;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.socket.Purpose;
import org.mscclj.runtime.time.Deadline;

/**
 * A store that another process serves. A connection carries one request at a time, so that each of several waiting
 * threads has its own connection.
 */
public final class TcpStore implements Store {
    /** Maximum time for an answer beyond the time for which the server waits. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** Interval at which a waiting thread checks whether it was interrupted, since an interrupt does not end a read. */
    private static final Duration LOOK = Duration.ofMillis(50);

    private final StoreAddress address;
    private final Duration timeout;
    private final Deque<ControlSocket> idle = new ConcurrentLinkedDeque<>();
    private final Set<ControlSocket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Connects.
     *
     * @param timeout maximum time to connect
     */
    public TcpStore(StoreAddress address, Duration timeout) {
        this.address = address;
        this.timeout = timeout;
        idle.add(connect());
    }

    private ControlSocket connect() {
        Deadline deadline = Deadline.after(timeout);
        try {
            ControlSocket socket = new Connector(
                            TcpStoreServer.credentials(address, 1),
                            HostAddresses.ofInterface(address.address(), deadline))
                    .connect(Purpose.STORE, 0, () -> HostAddresses.candidates(address.address()), deadline);
            open.add(socket);
            return socket;
        } catch (Connector.UnreachableException e) {
            throw new OperationTimeoutException(
                    this + " did not answer within " + DurationText.of(timeout) + "; the last try: " + e.getMessage()
                            + "; start its server, and give both the same secret",
                    List.of());
        }
    }

    private StoreReply ask(StoreRequest request, Duration limit) {
        if (closed) {
            throw StoreRules.closed(this);
        }
        ControlSocket socket = Optional.ofNullable(idle.poll()).orElseGet(this::connectAgain);
        boolean usable = false;
        try {
            socket.write(StoreRequest.encode(request));
            socket.flush();
            awaitReply(socket, limit);
            StoreReply reply = StoreReply.decode(socket.read());
            usable = true;
            return reply;
        } catch (SocketTimeoutException e) {
            throw new OperationTimeoutException(
                    this + " has not answered within " + DurationText.of(limit) + " and " + DurationText.of(ANSWER)
                            + "; look whether its process is stopped",
                    List.of());
        } catch (IOException | RuntimeException e) {
            if (closed) {
                throw StoreRules.closed(this);
            }
            if (Thread.currentThread().isInterrupted()) { // which closes the socket, if the thread is a virtual one
                throw new AbortedException("interrupted while waiting for " + this, e);
            }
            throw new BackendException(
                    this + " does not answer any more: " + e + "; look whether its process has ended", e);
        } finally {
            giveBack(socket, usable);
        }
    }

    /** Waits until a reply begins. */
    private static void awaitReply(ControlSocket socket, Duration limit) throws IOException {
        Deadline serving = Deadline.after(limit);
        Deadline answering = Deadline.after(ANSWER);
        socket.readTimeout(LOOK);
        while (!socket.awaitFrame()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException();
            }
            if (serving.left() > 0) {
                answering = Deadline.after(ANSWER);
            } else if (answering.left() == 0) {
                throw new SocketTimeoutException();
            }
        }
        socket.readTimeout(ANSWER);
    }

    /** Connects again. There was a server when this store was opened, so it has ended if it cannot be reached. */
    private ControlSocket connectAgain() {
        try {
            return connect();
        } catch (OperationTimeoutException e) {
            throw new BackendException(e.getMessage() + "; it did when this store was opened", e);
        }
    }

    private void giveBack(ControlSocket socket, boolean usable) {
        if (usable && !closed) {
            idle.push(socket);
        }
        if (!usable || closed) {
            open.remove(socket);
            socket.close();
        }
    }

    private long number(StoreRequest request, Duration limit) {
        return switch (ask(request, limit)) {
            case StoreReply.WholeNumber(long number) -> number;
            case StoreReply.Failed failed -> throw failed.exception();
            case StoreReply.Value _ -> throw malformed();
        };
    }

    private Optional<byte[]> value(StoreRequest request, Duration limit) {
        return switch (ask(request, limit)) {
            case StoreReply.Value(Optional<byte[]> bytes) -> bytes;
            case StoreReply.Failed failed -> throw failed.exception();
            case StoreReply.WholeNumber _ -> throw malformed();
        };
    }

    private BackendException malformed() {
        return new BackendException(
                this + " answers something else than was asked; is it another version of mscclj?",
                new IOException("unexpected reply"));
    }

    @Override
    public void set(String key, byte[] value) {
        StoreRules.requireKey(key);
        StoreRules.requireValue(key, value);
        long _ = number(new StoreRequest.Set(key, value), Duration.ZERO);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(timeout, "timeout");
        StoreRules.requireKey(key);
        return value(new StoreRequest.Get(key, timeout), timeout).orElseThrow(this::malformed);
    }

    @Override
    public Optional<byte[]> find(String key) {
        StoreRules.requireKey(key);
        return value(new StoreRequest.Find(key), Duration.ZERO);
    }

    @Override
    public long add(String key, long amount) {
        StoreRules.requireKey(key);
        return number(new StoreRequest.Add(key, amount), Duration.ZERO);
    }

    @Override
    public void await(List<String> keys, Duration timeout) {
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(timeout, "timeout");
        keys.forEach(StoreRules::requireKey);
        long _ = number(new StoreRequest.Await(keys, timeout), timeout);
    }

    @Override
    public boolean delete(String key) {
        StoreRules.requireKey(key);
        return number(new StoreRequest.Delete(key), Duration.ZERO) == 1;
    }

    @Override
    public void close() {
        closed = true;
        new ArrayList<>(open).forEach(ControlSocket::close);
    }

    @Override
    public String toString() {
        return "the store at " + address.address();
    }
}
