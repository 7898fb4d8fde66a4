package org.mscclj.transport.tcp;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/** What is done to every socket. */
final class Sockets {
    private Sockets() {}

    /** Makes a socket non-blocking, and small messages travel at once. */
    static void configure(SocketChannel socket) throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }

    /** Closes what is not used any more: if that fails there is nothing left to be done about it. */
    static void closeQuietly(Closeable what) {
        try {
            what.close();
        } catch (IOException e) {
            // the system has given it up, too
        }
    }
}
