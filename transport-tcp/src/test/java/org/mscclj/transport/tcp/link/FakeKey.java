package org.mscclj.transport.tcp.link;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** The key of a socket that can always be written, and has nothing to read. */
public final class FakeKey extends SelectionKey {
    private int interests;

    @Override
    public SelectableChannel channel() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Selector selector() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isValid() {
        return true;
    }

    @Override
    public void cancel() {}

    @Override
    public int interestOps() {
        return interests;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        interests = ops;
        return this;
    }

    @Override
    public int readyOps() {
        return OP_WRITE & interests;
    }
}
