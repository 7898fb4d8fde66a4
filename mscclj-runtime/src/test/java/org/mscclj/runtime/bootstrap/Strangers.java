package org.mscclj.runtime.bootstrap;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connect to a port without belonging there. */
final class Strangers implements AutoCloseable {
    private static final long MAGIC = 0x4d53_4343_4c4a_0004L;

    private final InetAddress host;
    private final List<Socket> sockets = new ArrayList<>();

    private Strangers(InetAddress host) {
        this.host = host;
    }

    /** One of each kind. */
    static Strangers at(int port, int rank, int wanted, int size) throws IOException {
        return at(InetAddress.getLoopbackAddress(), port, rank, wanted, size);
    }

    /** One of each kind. */
    static Strangers at(InetAddress host, int port, int rank, int wanted, int size) throws IOException {
        Strangers strangers = new Strangers(host);
        strangers.open(port); // silent
        strangers.garbage(port);
        strangers.endless(port);
        strangers.wrongProof(port, rank, wanted, size);
        return strangers;
    }

    private Socket open(int port) throws IOException {
        Socket socket = new Socket(host, port);
        sockets.add(socket);
        return socket;
    }

    private void garbage(int port) throws IOException {
        open(port).getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    private void endless(int port) throws IOException {
        DataOutputStream out = new DataOutputStream(open(port).getOutputStream());
        out.writeInt(Integer.MAX_VALUE);
        out.write(new byte[100_000]);
    }

    /** Speaks the protocol, claims to be a rank, and does not know the secret. */
    private void wrongProof(int port, int rank, int wanted, int size) throws IOException {
        Socket socket = open(port);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeLong(MAGIC);
        out.writeByte(1);
        out.writeInt(rank);
        out.writeInt(wanted);
        out.writeInt(size);
        out.write(new byte[64]); // the job's hash, and the version
        out.writeByte(0);
        out.write(new byte[32]);
        out.flush();
        new DataInputStream(socket.getInputStream()).readFully(new byte[64]);
        out.writeByte(1);
        out.write(new byte[32]);
    }

    /** Reads what each is told until the connection ends: at most one byte, which says no, after nonce and proof. */
    void requireRefused() throws IOException {
        for (Socket socket : sockets) {
            socket.setSoTimeout(20_000);
            try {
                byte[] told = socket.getInputStream().readAllBytes();
                assertTrue(told.length <= 1, () -> "a stranger was told " + told.length + " bytes");
            } catch (SocketException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("reset"), e::toString);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
