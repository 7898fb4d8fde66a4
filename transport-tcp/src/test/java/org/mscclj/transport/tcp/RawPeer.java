package org.mscclj.transport.tcp;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.connection.Frame;
import org.mscclj.transport.tcp.greeting.EndpointDescription;
import org.mscclj.transport.tcp.greeting.Hello;

/** One lane of a peer that a test plays by hand. */
final class RawPeer implements AutoCloseable {
    final Socket socket;

    /** The socket's, and the lane's once that is greeted. */
    DataInputStream in;

    DataOutputStream out;

    private @Nullable RawLink link;
    private int stream = -1;

    /** Connects, and says nothing. */
    RawPeer(EndpointDescription to) throws IOException {
        socket = new Socket(to.address().getAddress(), to.address().getPort());
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true); // or a reset destroys what was sent before it
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Another lane over the link of a peer. */
    RawPeer(RawPeer with) {
        socket = with.socket;
        in = with.in;
        out = with.out;
        link = with.link;
    }

    /** Greets and proves with a token; whether it was accepted. */
    boolean greet(long endpoint, byte[] token) throws IOException {
        return greet(endpoint, token, 0, 1);
    }

    /** Likewise, for one lane of several; over a link that is made before it, if there is none. */
    boolean greet(long endpoint, byte[] token, int lane, int lanes) throws IOException {
        if (link == null && !greetLink(endpoint, token)) {
            return false;
        }
        RawLink known = Objects.requireNonNull(link);
        stream = known.open();
        in = new DataInputStream(known.input(stream));
        out = new DataOutputStream(known.output(stream));
        return greet(new Hello(endpoint, lane, lanes, false, Hello.random(Hello.NONCE)), token);
    }

    /** Makes a link alone. */
    boolean greetLink(long endpoint, byte[] token) throws IOException {
        if (!greet(Hello.forLink(endpoint), token)) {
            return false;
        }
        link = new RawLink(socket);
        return true;
    }

    /** Sends what travels below the lanes. */
    void record(int kind, int ofStream, int number, byte... bytes) throws IOException {
        Objects.requireNonNull(link, "greet first").record(kind, ofStream, number, bytes);
    }

    /** The number of the lane's stream. */
    int stream() {
        return stream;
    }

    private boolean greet(Hello hello, byte[] token) throws IOException {
        out.write(hello.encode().array());
        byte[] answer = new byte[Hello.CHALLENGE];
        try {
            in.readFully(answer);
            ByteBuffer challenge = ByteBuffer.wrap(answer);
            challenge.getLong();
            byte[] nonce = new byte[Hello.NONCE];
            challenge.get(nonce);
            out.write(hello.proof(Hello.Side.CONNECTING, token, nonce, new byte[0]));
            return in.readLong() == Hello.MAGIC;
        } catch (IOException e) {
            return false;
        }
    }

    void frame(int type, int length, long position, long memory, long offset, long total) throws IOException {
        out.write(encode(type, length, position, memory, offset, total));
    }

    /** Sends frames that arrive together. */
    void frames(byte[]... frames) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            all.writeBytes(frame);
        }
        out.write(all.toByteArray());
    }

    static byte[] encode(int type, int length, long position, long memory, long offset, long total) {
        int payload = length < 0 || length > Frame.MAX_PAYLOAD ? 0 : Frame.padded(length);
        ByteBuffer frame = ByteBuffer.allocate(Frame.HEADER + payload);
        frame.putInt(type << 24).putInt(length).putLong(position).putLong(memory);
        frame.putLong(offset).putLong(total);
        while (frame.hasRemaining()) {
            frame.put((byte) 0x5a);
        }
        return frame.array();
    }

    /** Reads until the other side closes; what it said. */
    byte[] readAll() throws IOException {
        try {
            return in.readAllBytes();
        } catch (java.net.SocketException e) {
            return new byte[0]; // reset: it had not read everything
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
