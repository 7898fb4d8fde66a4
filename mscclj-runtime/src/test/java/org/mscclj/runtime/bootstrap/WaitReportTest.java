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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        assertEquals("rank 0 waits for ranks [1], for 20 ms now; the timeout is 600 s", told.getFirst());
        // On a busy machine, the wait may have doubled twice before the next look.
        List<Long> waits = told.stream().map(WaitReportTest::millis).toList();
        for (int i = 1; i < waits.size(); i++) {
            long doublings = waits.get(i) / waits.get(i - 1);
            assertTrue(doublings >= 2 && Long.bitCount(doublings) == 1, waits::toString);
            assertEquals(0, waits.get(i) % waits.get(i - 1), waits::toString);
        }
    }

    /** Returns the wait that a report tells, in milliseconds. */
    private static long millis(String report) {
        Matcher wait = Pattern.compile(", for ([0-9.]+) (ms|s) now").matcher(report);
        assertTrue(wait.find(), report);
        return Math.round(Double.parseDouble(wait.group(1)) * (wait.group(2).equals("s") ? 1000 : 1));
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
