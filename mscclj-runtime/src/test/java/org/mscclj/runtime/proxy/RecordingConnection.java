package org.mscclj.runtime.proxy;

import java.io.EOFException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.mscclj.api.error.BackendException;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/** Writes down what it is asked to do, and completes it when the test says so. */
public final class RecordingConnection implements TransportConnection {
    private final String name;
    private final List<String> operations;
    private long posted;
    private volatile long completed;
    private volatile boolean lost;
    private volatile boolean completesAtOnce = true;

    /** A connection that completes everything at once. */
    public RecordingConnection(String name, List<String> operations) {
        this.name = name;
        this.operations = operations;
    }

    /** From now on nothing completes until {@link #complete}. */
    void hold() {
        completesAtOnce = false;
        completed = posted;
    }

    /** From now on signals fail, as the peer is gone. */
    void lose() {
        lost = true;
    }

    void complete(long position) {
        completed = position;
    }

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        operations.add(name + ": write " + source + "+" + sourceOffset + " to " + target + "+" + targetOffset + ", "
                + bytes + " bytes");
        return ++posted;
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        if (lost) {
            throw new BackendException("connection reset", new EOFException("reset"));
        }
        operations.add(name + ": signal " + target + "+" + targetOffset);
        return ++posted;
    }

    @Override
    public long completed() {
        return completesAtOnce ? posted : completed;
    }

    @Override
    public boolean isPeerLost() {
        return lost;
    }

    @Override
    public void close() {}

    static List<String> newLog() {
        return new CopyOnWriteArrayList<>();
    }

    /** Memory of any size, which does not exist. */
    public record FakeMemory(String name, long byteSize) implements LocalMemory, RemoteMemory {
        @Override
        public byte[] describe() {
            return new byte[0];
        }

        @Override
        public void close() {}

        @Override
        public String toString() {
            return name;
        }
    }
}
