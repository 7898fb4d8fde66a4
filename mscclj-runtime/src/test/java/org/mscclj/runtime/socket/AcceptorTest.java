package org.mscclj.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mscclj.api.UniqueId;

/** How connections are accepted. */
class AcceptorTest {
    /** For want of file descriptors, say, which lasts. */
    @Test
    void acceptingPausesWhenItFails() throws Exception {
        AtomicInteger times = new AtomicInteger();
        ServerSocket failing = new ServerSocket(0) {
            @Override
            public Socket accept() throws IOException {
                times.incrementAndGet();
                throw new IOException("no file descriptor is free");
            }
        };
        Credentials credentials = new Credentials(
                new Handshake(SharedSecret.of("secret"), 0, 2),
                SocketSecurity.of(Optional.empty()),
                Credentials.USUAL_LIMIT);
        try (Acceptor acceptor = new Acceptor(failing, credentials, Purpose.CONTROL, (_, _) -> {})) {
            Thread.sleep(400);
            assertTrue(acceptor.refusals().orElseThrow().contains("no file descriptor"), acceptor::toString);
            assertTrue(times.get() <= 10, () -> "it tried " + times + " times");
        }
    }

    /** Silent strangers took all places for ten seconds each, and with a limit of 1,024 descriptors all descriptors. */
    @Test
    void silentStrangersKeepNoRankOut() throws Exception {
        String secret = UniqueId.randomSecret();
        ServerSocket listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        CountDownLatch arrived = new CountDownLatch(1);
        List<Socket> strangers = new ArrayList<>();
        try (Acceptor _ = new Acceptor(listener, credentials(secret, 0), Purpose.CONTROL, (rank, socket) -> {
            arrived.countDown();
            socket.close();
        })) {
            for (int i = 0; i < 400; i++) {
                strangers.add(new Socket(listener.getInetAddress(), listener.getLocalPort()));
            }
            Socket rank = new Socket(listener.getInetAddress(), listener.getLocalPort());
            ControlSocket.connecting(rank, credentials(secret, 1), Purpose.CONTROL, 0)
                    .close();
            assertTrue(arrived.await(20, TimeUnit.SECONDS));
        } finally {
            strangers.forEach(ControlSocket::closeQuietly);
        }
    }

    private static Credentials credentials(String secret, int rank) {
        return new Credentials(
                new Handshake(SharedSecret.of(secret), rank, 2),
                SocketSecurity.of(Optional.empty()),
                Credentials.USUAL_LIMIT);
    }
}
