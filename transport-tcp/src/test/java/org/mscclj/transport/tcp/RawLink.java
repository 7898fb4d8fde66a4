package org.mscclj.transport.tcp;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.mscclj.transport.tcp.link.LinkRecord;

/** A link of a peer that a test plays by hand. Used by one thread. */
final class RawLink {
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Map<Integer, Queue<Byte>> received = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();
    private int streams;

    /** Over a socket whose ends know each other. */
    RawLink(Socket socket) throws IOException {
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Opens a stream; its number. */
    int open() throws IOException {
        record(LinkRecord.OPEN, streams, 0, new byte[0]);
        received.put(streams, new ArrayDeque<>());
        return streams++;
    }

    /** Waits for the first stream that the other side opens; its number. */
    int awaitOpen() throws IOException {
        while (received.isEmpty()) {
            if (!receive()) {
                throw new EOFException("no stream was opened");
            }
        }
        return received.keySet().iterator().next();
    }

    void record(int kind, int stream, int number, byte[] bytes) throws IOException {
        out.write(ByteBuffer.allocate(LinkRecord.HEADER + bytes.length)
                .putInt(kind)
                .putInt(stream)
                .putInt(number)
                .put(bytes)
                .array());
    }

    OutputStream output(int stream) {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                byte[] part = new byte[count];
                System.arraycopy(bytes, from, part, 0, count);
                record(LinkRecord.DATA, stream, count, part);
            }
        };
    }

    InputStream input(int stream) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] to, int from, int count) throws IOException {
                Queue<Byte> bytes = received.get(stream);
                while (count > 0 && bytes.isEmpty() && !ended.contains(stream)) {
                    if (!receive()) {
                        return -1;
                    }
                }
                int taken = 0;
                for (; taken < count && !bytes.isEmpty(); taken++) {
                    to[from + taken] = bytes.remove();
                }
                return taken == 0 && count > 0 ? -1 : taken;
            }
        };
    }

    /** Receives a record; false at the end. */
    private boolean receive() throws IOException {
        int kind;
        try {
            kind = in.readInt();
        } catch (EOFException e) {
            return false;
        }
        int stream = in.readInt();
        int number = in.readInt();
        if (kind == LinkRecord.OPEN) {
            received.put(stream, new ArrayDeque<>());
        } else if (kind == LinkRecord.DATA) {
            for (byte one : in.readNBytes(number)) {
                received.get(stream).add(one);
            }
        } else if (kind == LinkRecord.END) {
            ended.add(stream);
        }
        return true;
    }
}
