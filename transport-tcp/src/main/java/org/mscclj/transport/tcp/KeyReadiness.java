package org.mscclj.transport.tcp;

import java.nio.channels.SelectionKey;

/** Of a socket. */
record KeyReadiness(SelectionKey key) implements Readiness {
    @Override
    public void writes(boolean also) {
        key.interestOps(SelectionKey.OP_READ | (also ? SelectionKey.OP_WRITE : 0));
    }
}
