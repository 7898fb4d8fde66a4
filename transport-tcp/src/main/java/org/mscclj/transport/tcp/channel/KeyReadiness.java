package org.mscclj.transport.tcp.channel;

import java.nio.channels.SelectionKey;

/** The readiness of a socket, by its selection key. */
public record KeyReadiness(SelectionKey key) implements Readiness {
    @Override
    public void writes(boolean also) {
        key.interestOps(SelectionKey.OP_READ | (also ? SelectionKey.OP_WRITE : 0));
    }
}
