package org.mscclj.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.UniqueId;
import org.mscclj.spi.protection.WireProtection;

/** What two ranks prove to each other, and what somebody between them can do. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandshakeTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int HELLO_BYTES = 118;
    private static final int NONCE_AND_PROOF_BYTES = 64;

    private final String secret = UniqueId.randomSecret();
    private int count;

    private Credentials credentials(int rank, WireProtection protection) {
        return new Credentials(
                new Handshake(SharedSecret.of(secret), rank, 2),
                SocketSecurity.of(Optional.empty(), protection),
                LIMIT);
    }

    private record Pair(ControlSocket connecting, ControlSocket accepting) {}

    /** Connects, through a process between the two that changes bytes of what the connecting side sends. */
    private Pair connect(WireProtection connecting, WireProtection accepting, IntUnaryOperator change)
            throws IOException {
        ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket between = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CompletableFuture<ControlSocket> accepted = CompletableFuture.supplyAsync(() -> {
            try (listener) {
                return ControlSocket.accepting(
                                listener.accept(), credentials(0, accepting), Purpose.CONTROL, () -> true)
                        .socket();
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        Thread.ofVirtual().start(() -> {
            try (between) {
                Socket near = between.accept();
                Socket far = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Thread.ofVirtual().start(() -> relay(far, near, IntUnaryOperator.identity()));
                relay(near, far, change);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        ControlSocket connected = ControlSocket.connecting(
                new Socket(between.getInetAddress(), between.getLocalPort()),
                credentials(1, connecting),
                Purpose.CONTROL,
                0);
        return new Pair(connected, accepted.join());
    }

    private static void relay(Socket from, Socket to, IntUnaryOperator change) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                out.write(change.applyAsInt(next));
            }
        } catch (IOException _) {
            // the test has closed an end
        }
    }

    /** A process that listens in the place of a rank must get nothing against which it can try texts. */
    @Test
    void aListenerThatDoesNotKnowTheSecretIsShownNoProof() throws Exception {
        try (ServerSocket rogue = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<byte[]> told = CompletableFuture.supplyAsync(() -> {
                try (Socket socket = rogue.accept()) {
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    in.readFully(new byte[HELLO_BYTES]);
                    socket.getOutputStream().write(new byte[NONCE_AND_PROOF_BYTES]);
                    return in.readAllBytes();
                } catch (IOException e) {
                    throw new CompletionException(e);
                }
            });
            HandshakeException e = assertThrows(
                    HandshakeException.class,
                    () -> ControlSocket.connecting(
                            new Socket(rogue.getInetAddress(), rogue.getLocalPort()),
                            credentials(1, WireProtection.NONE),
                            Purpose.CONTROL,
                            0));
            assertTrue(String.valueOf(e.getMessage()).contains("another secret"), e::getMessage);
            assertArrayEquals(new byte[1], told.get());
        }
    }

    @Test
    void sealedFramesArrive() throws Exception {
        Pair pair = connect(WireProtection.ALL, WireProtection.ALL, IntUnaryOperator.identity());
        try (ControlSocket left = pair.connecting();
                ControlSocket right = pair.accepting()) {
            assertTrue(left.isProtected() && right.isProtected());
            for (int length : new int[] {0, 1, 100_000}) {
                byte[] frame = new byte[length];
                Arrays.fill(frame, (byte) 7);
                left.write(frame);
                left.flush();
                assertArrayEquals(frame, right.read());
                right.write(frame);
                right.flush();
                assertArrayEquals(frame, left.read());
            }
        }
    }

    /** On the wire is nothing of what is said, and what is changed is not believed. */
    @Test
    void aChangedFrameIsRefused() throws Exception {
        int[] seen = new int[1];
        IntUnaryOperator change = next -> {
            if (next == 'x') {
                seen[0]++;
            }
            return ++count == HELLO_BYTES + 33 + 100 ? next ^ 1 : next;
        };
        Pair pair = connect(WireProtection.ALL, WireProtection.ALL, change);
        try (ControlSocket left = pair.connecting();
                ControlSocket right = pair.accepting()) {
            byte[] frame = new byte[4000];
            Arrays.fill(frame, (byte) 'x');
            left.write(frame);
            left.flush();
            HandshakeException e = assertThrows(HandshakeException.class, right::read);
            assertTrue(String.valueOf(e.getMessage()).contains("changed"), e::getMessage);
            assertTrue(seen[0] < 200, () -> seen[0] + " bytes travel as they are");
        }
    }

    @Test
    void withoutProtectionFramesTravelAsTheyAre() throws Exception {
        Pair pair = connect(WireProtection.HOSTS, WireProtection.HOSTS, IntUnaryOperator.identity());
        try (ControlSocket left = pair.connecting();
                ControlSocket right = pair.accepting()) {
            assertFalse(left.isProtected()); // both ends are on this host
            left.write(new byte[] {'a'});
            left.flush();
            assertEquals('a', right.read()[0]);
        }
    }

    @Test
    void aPeerThatDoesNotSealIsRefusedWhereThatIsWanted() {
        assertThrows(
                HandshakeException.class,
                () -> connect(WireProtection.NONE, WireProtection.ALL, IntUnaryOperator.identity()));
    }
}
