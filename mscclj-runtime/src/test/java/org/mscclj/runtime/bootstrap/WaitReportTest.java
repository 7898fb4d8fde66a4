package org.mscclj.runtime.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.socket.Credentials;
import org.mscclj.runtime.socket.Handshake;
import org.mscclj.runtime.socket.SharedSecret;
import org.mscclj.runtime.socket.SocketSecurity;

class WaitReportTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(600);

    private final List<String> told = new ArrayList<>();

    @Test
    void comesWheneverTheWaitHasDoubled() {
        WaitReport report = new WaitReport(Duration.ofMillis(20), told::add);
        while (told.size() < 3) {
            report.tell(TIMEOUT, () -> "rank 0 waits for ranks [1]");
            LockSupport.parkNanos(report.left());
        }
        assertEquals(
                List.of(
                        "rank 0 waits for ranks [1], for 20 ms now; the timeout is 600 s",
                        "rank 0 waits for ranks [1], for 40 ms now; the timeout is 600 s",
                        "rank 0 waits for ranks [1], for 80 ms now; the timeout is 600 s"),
                told);
    }

    @Test
    void doesNotComeEarly() {
        new WaitReport(TIMEOUT, told::add).tell(TIMEOUT, () -> "rank 0 waits");
        assertEquals(List.of(), told);
    }

    /** A wrong number of ranks is seen long before the timeout. */
    @Test
    void rankZeroTellsForWhichRanksItWaits() throws Exception {
        Duration timeout = Duration.ofMillis(400);
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Credentials credentials = new Credentials(
                new Handshake(SharedSecret.of("a secret of some length"), 0, 3),
                SocketSecurity.of(Optional.empty()),
                timeout);
        int port = listener.getLocalPort();
        try (RendezvousServer zero = new RendezvousServer(
                listener, credentials, timeout, new WaitReport(Duration.ofMillis(20), told::add))) {
            OperationTimeoutException late = assertThrows(OperationTimeoutException.class, zero::awaitAll);
            String message = String.valueOf(late.getMessage());
            assertTrue(
                    message.startsWith("rendezvous: rank 0 of 3 waited 400 ms for ranks [1, 2], which did not come to"
                            + " port " + port),
                    message);
        }
        assertEquals(
                "rendezvous: rank 0 of 3 waits at port " + port + " for ranks [1, 2], for 20 ms now; the timeout is"
                        + " 400 ms",
                told.getFirst());
    }
}
