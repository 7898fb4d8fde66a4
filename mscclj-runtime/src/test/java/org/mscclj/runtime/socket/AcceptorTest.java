package org.mscclj.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

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
}
