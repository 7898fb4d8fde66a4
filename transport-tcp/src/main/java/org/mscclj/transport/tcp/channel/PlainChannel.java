package org.mscclj.transport.tcp.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A socket without encryption. */
public record PlainChannel(SocketChannel socket) implements LaneChannel {
    @Override
    public int read(ByteBuffer to) throws IOException {
        return socket.read(to);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return socket.write(from);
    }

    @Override
    public boolean holdsReceived() {
        return false;
    }

    @Override
    public boolean wantsWrite(boolean dataWaits) {
        return dataWaits;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
