package org.mscclj.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.runtime.time.Deadline;

/** Ranks of different jobs, sizes and versions that have the same secret and the same address. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupIdentityTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    /** A rank that is refused tries again until its time is over. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static Credentials credentials(int rank, int size, GroupIdentity group) {
        return new Credentials(
                new Handshake(SharedSecret.of("secret"), rank, size, group),
                SocketSecurity.of(Optional.empty()),
                Credentials.USUAL_LIMIT);
    }

    private static Acceptor acceptor(GroupIdentity group) {
        return new Acceptor(
                Listeners.bind(InetAddress.getLoopbackAddress(), PortRange.ANY),
                credentials(0, 2, group),
                Purpose.RENDEZVOUS,
                (_, socket) -> socket.close());
    }

    private static ControlSocket connect(Credentials credentials, Acceptor acceptor, Duration limit) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), acceptor.port());
        return new Connector(credentials, Optional.empty())
                .connect(Purpose.RENDEZVOUS, 0, () -> List.of(address), Deadline.after(limit));
    }

    @Test
    void ranksOfOneJobAndVersionMeet() throws Exception {
        GroupIdentity group = GroupIdentity.ofJob("a");
        assertFalse(group.version().isBlank() || group.version().contains("$"), group::version);
        try (Acceptor acceptor = acceptor(group);
                ControlSocket socket = connect(credentials(1, 2, GroupIdentity.ofJob("a")), acceptor, LONG)) {
            assertTrue(acceptor.refusals().isEmpty(), () -> acceptor.refusals().orElse("") + socket);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a, 1.0, b, 1.0, 2, another job that uses the same address, rank 1 of 2 of another job than job a",
        "a, 1.0, '', 1.0, 2, this rank belongs to a job without a name, of another job than job a",
        "a, 1.0, a, 1.1, 2, another version of mscclj than this rank's; which is 1.1, version 1.1 of mscclj; and this"
                + " is 1.0",
        "a, 1.0, a, 1.0, 4, not rank 0 of 4, it is rank 1 of 4; and this is rank 0 of 2"
    })
    void bothSidesAreToldWhyTheyDoNotMeet(
            String job, String version, String otherJob, String otherVersion, int size, String told, String refused)
            throws Exception {
        try (Acceptor acceptor = acceptor(new GroupIdentity(job, version))) {
            Exception e = assertThrows(
                    Connector.UnreachableException.class,
                    () -> connect(credentials(1, size, new GroupIdentity(otherJob, otherVersion)), acceptor, SHORT));
            assertTrue(String.valueOf(e.getMessage()).contains(told.replace(';', ',')), e::getMessage);
            String refusals = acceptor.refusals().orElse("");
            assertTrue(refusals.contains(refused.replace(';', ',')), refusals);
        }
    }

    @Test
    void aStrangerDoesNotHideWhyAPeerWasRefused() throws Exception {
        try (Acceptor acceptor = acceptor(GroupIdentity.ofJob("a"))) {
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), acceptor.port())) {
                assertTrue(stranger.isConnected());
            }
            String first = awaitRefusal(acceptor, "1 connection was refused, from ");
            assertTrue(first.contains("it ended the connection before it had proved"), first);
            assertThrows(
                    Connector.UnreachableException.class,
                    () -> connect(credentials(1, 2, GroupIdentity.ofJob("b")), acceptor, SHORT));
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), acceptor.port())) {
                stranger.setSoLinger(true, 0); // a reset
            }
            LockSupport.parkNanos(50_000_000);
            String last = acceptor.refusals().orElse("");
            assertTrue(last.contains("connections were refused") && last.contains("of another job than job a"), last);
        }
    }

    private static String awaitRefusal(Acceptor acceptor, String beginning) {
        while (acceptor.refusals().isEmpty()) {
            LockSupport.parkNanos(1_000_000);
        }
        String refusals = acceptor.refusals().get();
        assertEquals(beginning, refusals.substring(0, beginning.length()));
        return refusals;
    }

    @Test
    void anotherVersionOfTheProtocolIsNamed() throws Exception {
        try (Acceptor acceptor = acceptor(GroupIdentity.ofJob("a"));
                Socket old = new Socket(InetAddress.getLoopbackAddress(), acceptor.port())) {
            old.getOutputStream().write(new byte[] {'M', 'S', 'C', 'C', 'L', 'J', 0, 1});
            assertEquals(0, old.getInputStream().readAllBytes().length);
            String refusals = awaitRefusal(acceptor, "1 connection was refused");
            assertTrue(refusals.contains("it speaks version 1 of the protocol"), refusals);
        }
    }
}
