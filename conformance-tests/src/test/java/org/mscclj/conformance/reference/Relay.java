package org.mscclj.conformance.reference;

import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/** Hands every operation on, and counts them itself, so that those who extend it may hold some back. */
class Relay implements TransportConnection {
    private final TransportConnection inner;
    private long posted;

    Relay(TransportConnection inner) {
        this.inner = inner;
    }

    /** An operation that is not handed on. */
    long post() {
        return ++posted;
    }

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        inner.write(source, sourceOffset, target, targetOffset, bytes);
        return post();
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        inner.signal(target, targetOffset);
        return post();
    }

    @Override
    public long completed() {
        return posted;
    }

    @Override
    public void listen(ConnectionListener listener) {
        inner.listen(listener);
    }

    @Override
    public void close() {
        inner.close();
    }
}
