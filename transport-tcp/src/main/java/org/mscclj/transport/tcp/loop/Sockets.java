package org.mscclj.transport.tcp.loop;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.mscclj.spi.network.KeepAlive;

/** Configures and closes sockets. */
public final class Sockets {
    private Sockets() {}

    /**
     * Makes a socket non-blocking, switches delays of small packets off (TCP_NODELAY), and limits the silence of its
     * other end.
     */
    public static void configure(SocketChannel socket, KeepAlive keepAlive) throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        keepAlive.apply(socket.socket());
    }

    /** Closes a resource that is not used any more, and ignores a failure. */
    public static void closeQuietly(Closeable what) {
        try {
            what.close();
        } catch (IOException e) {
            // the system has released it anyway
        }
    }
}
