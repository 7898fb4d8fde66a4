package org.mscclj.runtime.channel;

import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * A connection that two proxy agents use: the one of host threads, and the one of kernels. Transports expect one thread
 * at a time, so they take turns; operations do not wait for the peer, and so no turn takes long. Positions are the
 * connection's, whichever agent has got them.
 */
final class SharedConnection implements TransportConnection {
    private final TransportConnection connection;

    SharedConnection(TransportConnection connection) {
        this.connection = connection;
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
    public void listen(ConnectionListener listener) {
        connection.listen(listener);
    }

    @Override
    public synchronized void close() {
        connection.close();
    }
}
