package org.mscclj.runtime.transport;

import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * A connection that two proxy agents use: the agent for host threads, and the agent for kernels. Transports expect one
 * thread at a time, so the agents take turns. Operations do not wait for the peer, so no turn takes long. Positions are
 * those of the connection, for both agents.
 */
public final class SharedConnection implements TransportConnection {
    private final TransportConnection connection;

    private SharedConnection(TransportConnection connection) {
        this.connection = connection;
    }

    /** Returns a connection of a device: one that two agents may use, if kernels push triggers there. */
    public static TransportConnection of(BackendDevice device, TransportConnection connection) {
        return device.pushesTriggers() ? new SharedConnection(connection) : connection;
    }

    @Override
    public synchronized long write(
            LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        return connection.write(source, sourceOffset, target, targetOffset, bytes);
    }

    @Override
    public synchronized long signal(RemoteMemory target, long targetOffset) {
        return connection.signal(target, targetOffset);
    }

    @Override
    public synchronized long completed() {
        return connection.completed();
    }

    @Override
    public boolean isPeerLost() {
        return connection.isPeerLost();
    }

    @Override
    public boolean tellsSignals() {
        return connection.tellsSignals();
    }

    @Override
    public void listen(ConnectionListener listener) {
        connection.listen(listener);
    }

    @Override
    public synchronized void close() {
        connection.close();
    }
}
