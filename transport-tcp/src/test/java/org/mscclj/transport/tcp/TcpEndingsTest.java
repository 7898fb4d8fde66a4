package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.network.KeepAlive;
import org.mscclj.spi.protection.WireProtection;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.transport.tcp.connection.Frame;
import org.mscclj.transport.tcp.greeting.EndpointDescription;
import org.mscclj.transport.tcp.greeting.Hello;
import org.mscclj.transport.tcp.greeting.ProcessSockets;
import org.mscclj.transport.tcp.memory.TcpRemoteMemory;
import org.mscclj.transport.tcp.settings.TcpSettings;

/** How connections begin late and end early, and which ends are failures. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TcpEndingsTest {
    private static final TcpRemoteMemory ANYWHERE = new TcpRemoteMemory(1, 8, 0);

    /** Waits until the connection knows that the peer has closed normally. */
    private static void awaitPeerClosed(TransportConnection connection) {
        String message = assertThrows(InvalidArgumentException.class, () -> {
                    while (true) {
                        connection.signal(ANYWHERE, 0);
                    }
                })
                .getMessage();
        assertTrue(String.valueOf(message).contains("closed by the peer"), message);
    }

    /** Closing a socket with unread bytes resets the connection. */
    @Test
    void aResetAfterGoodbyeIsNoFailure() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (Awaiting side = new Awaiting(1)) {
                try (RawPeer peer = side.accepted()) {
                    peer.frame(Frame.SIGNAL, 0, 1, side.memoryId(), 0, 0);
                    while (side.side.device.readCounter(side.side.buffer, Awaiting.GUARD) == 0) {
                        Thread.onSpinWait();
                    }
                    peer.in.readFully(new byte[Frame.HEADER]); // the acknowledgement
                    peer.frame(Frame.GOODBYE, 0, 0, 0, 0, 0);
                    peer.socket.setSoLinger(true, 0);
                }
                while (!side.connection.isClosedByPeer()) {
                    Thread.onSpinWait();
                }
                Thread.sleep(20); // for the reset to be heard of
                assertTrue(side.side.failures.isEmpty(), side.side.failures::toString);
                awaitPeerClosed(side.connection);
            }
        }
    }

    /** Posting fails since the peer has closed, before the loop has read why. */
    @Test
    void anUnreadGoodbyeExplainsWhySendingFails() throws Exception {
        TcpSettings settings = Awaiting.settings(1);
        ProcessSockets sockets = ProcessSockets.acquire(settings);
        try (Awaiting side = new Awaiting(settings)) {
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch posted = new CountDownLatch(1);
            try (RawPeer peer = side.accepted()) {
                side.connection.signal(ANYWHERE, 0); // which connects, and is read
                peer.in.readFully(new byte[Frame.HEADER]);
                peer.frame(Frame.ACKNOWLEDGE, 0, 1, 0, 0, 0);
                side.side.awaitCompleted(1);
                sockets.loop().execute(() -> {
                    busy.countDown();
                    Side.awaitUninterruptibly(posted);
                });
                busy.await();
                peer.frame(Frame.GOODBYE, 0, 0, 0, 0, 0);
                peer.socket.setSoLinger(true, 0);
            }
            Thread.sleep(20); // for the reset to arrive
            side.connection.signal(ANYWHERE, 0);
            posted.countDown();
            String reason = side.side.awaitFailure();
            assertTrue(reason.contains("before it had taken everything"), reason);
            assertTrue(side.connection.isClosedByPeer());
        } finally {
            sockets.release();
        }
    }

    @Test
    void aPeerThatWithholdsPostedOperationsIsReported() throws Exception {
        try (Awaiting side = new Awaiting(2);
                RawPeer first = side.accepted(0, 2);
                RawPeer second = side.accepted(1, 2)) {
            second.frame(Frame.GOODBYE, 0, 2, 0, 0, 0);
            first.frame(Frame.SIGNAL, 0, 1, side.memoryId(), 0, 0);
            first.frame(Frame.GOODBYE, 0, 2, 0, 0, 0);
            String reason = side.side.awaitFailure();
            assertTrue(reason.contains("before it had sent everything"), reason);
        }
    }

    /** Of several lanes one may say goodbye before another one has brought what was posted before. */
    @Test
    void operationsPostedBeforeAGoodbyeMayArriveAfterIt() throws Exception {
        try (Awaiting side = new Awaiting(2);
                RawPeer first = side.accepted(0, 2);
                RawPeer second = side.accepted(1, 2)) {
            second.frame(Frame.GOODBYE, 0, 1, 0, 0, 0);
            while (!side.connection.isClosedByPeer()) {
                Thread.onSpinWait();
            }
            first.frame(Frame.SIGNAL, 0, 1, side.memoryId(), 0, 0);
            first.frame(Frame.GOODBYE, 0, 1, 0, 0, 0);
            while (side.side.device.readCounter(side.side.buffer, Awaiting.GUARD) == 0) {
                Thread.onSpinWait();
            }
            Thread.sleep(20); // for a failure to be reported
            assertTrue(side.side.failures.isEmpty(), side.side.failures::toString);
        }
    }

    @Test
    void nothingFollowsAGoodbye() throws Exception {
        try (Awaiting side = new Awaiting(1);
                RawPeer peer = side.accepted()) {
            peer.frames(
                    RawPeer.encode(Frame.GOODBYE, 0, 0, 0, 0, 0),
                    RawPeer.encode(Frame.SIGNAL, 0, 1, side.memoryId(), 0, 0));
            String reason = side.side.awaitFailure();
            assertTrue(reason.contains("a frame after its goodbye"), reason);
            assertEquals(0, side.side.device.readCounter(side.side.buffer, Awaiting.GUARD));
        }
    }

    /** The acknowledgement uses another lane than the one that ends first. */
    @Test
    void allLanesEndBeforeOperationsCountAsUndone() throws Exception {
        try (Awaiting side = new Awaiting(2);
                RawPeer first = side.accepted(0, 2);
                RawPeer second = side.accepted(1, 2)) {
            long position = side.connection.signal(ANYWHERE, 0);
            first.in.readFully(new byte[Frame.HEADER]);
            second.frame(Frame.GOODBYE, 0, 0, 0, 0, 0);
            second.socket.shutdownOutput();
            while (!side.connection.isClosedByPeer()) {
                Thread.onSpinWait();
            }
            assertEquals(0, side.connection.completed());
            first.frame(Frame.ACKNOWLEDGE, 0, position, 0, 0, 0);
            first.frame(Frame.GOODBYE, 0, 0, 0, 0, 0);
            first.socket.shutdownOutput();
            while (side.connection.completed() < position) {
                Thread.onSpinWait();
            }
            assertTrue(side.side.failures.isEmpty(), side.side.failures::toString);
        }
    }

    @Test
    void aConnectionThatIsClosedWhileItConnectsSaysGoodbye() throws Exception {
        try (Side side = new Side(Awaiting.settings(1), 8);
                ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            TcpEndpoint end = (TcpEndpoint) side.transport.createEndpoint(side.transport.describeAddress());
            byte[] token = Hello.random(Hello.TOKEN);
            EndpointDescription description = new EndpointDescription(
                    Awaiting.HIGHEST, new InetSocketAddress(peer.getInetAddress(), peer.getLocalPort()), 1, token, 1);
            CompletableFuture<Void> connecting = CompletableFuture.runAsync(() -> end.connect(description.encode()));
            try (Socket lane = peer.accept()) {
                accept(lane.getInputStream(), lane.getOutputStream(), token, end::close);
                RawLink link = new RawLink(lane);
                int stream = link.awaitOpen();
                accept(link.input(stream), link.output(stream), token, () -> {});
                byte[] last = link.input(stream).readAllBytes();
                assertEquals(Frame.HEADER, last.length);
                assertEquals(Frame.GOODBYE, last[Frame.TYPE]);
            }
            assertThrows(Exception.class, connecting::join);
        }
    }

    /** Plays the side that is connected to, and does something else in between. */
    private static void accept(InputStream in, OutputStream out, byte[] token, Runnable between) throws IOException {
        Hello hello = Hello.decode(ByteBuffer.wrap(in.readNBytes(Hello.BYTES))).orElseThrow();
        between.run();
        byte[] nonce = new byte[Hello.NONCE];
        out.write(ByteBuffer.allocate(Hello.CHALLENGE)
                .putLong(Hello.MAGIC)
                .put(nonce)
                .put(hello.proof(Hello.Side.ACCEPTING, token, nonce, new byte[0]))
                .array());
        byte[] proof = in.readNBytes(Hello.PROOF);
        assertTrue(hello.isProof(proof, Hello.Side.CONNECTING, token, nonce, new byte[0]));
        out.write(ByteBuffer.allocate(Long.BYTES).putLong(Hello.MAGIC).array());
    }

    /** A peer may come late to the set-up: what counts is how long connecting takes. */
    @Test
    void theTimeToConnectStartsWithConnecting() throws Exception {
        TcpSettings hasty = new TcpSettings(
                PortRange.ANY,
                Optional.empty(),
                2,
                Duration.ofMillis(1500),
                Optional.empty(),
                WireProtection.HOSTS,
                KeepAlive.DEFAULT);
        try (Side left = new Side(hasty, 64);
                Side right = new Side(hasty, 64)) {
            TransportEndpoint leftEnd = left.transport.createEndpoint(right.transport.describeAddress());
            TransportEndpoint rightEnd = right.transport.createEndpoint(left.transport.describeAddress());
            Thread.sleep(1600);
            CompletableFuture<Void> other =
                    CompletableFuture.runAsync(() -> left.connect(leftEnd, rightEnd.describe()));
            right.connect(rightEnd, leftEnd.describe());
            other.join();
            left.peerMemory = left.transport.importMemory(right.memory.describe());
            left.awaitCompleted(left.connection.signal(left.peerMemory, 0));
            assertEquals(1, right.counter());
        }
    }

    @Test
    void aLoopThatEndsFailsItsConnectionsAndIsReplaced() throws Exception {
        TcpSettings own = new TcpSettings(
                PortRange.ANY,
                Optional.empty(),
                3,
                Duration.ofSeconds(9),
                Optional.empty(),
                WireProtection.HOSTS,
                KeepAlive.DEFAULT);
        List<Side> sides = Side.pair(own, 64);
        try (Side left = sides.getFirst();
                Side right = sides.getLast()) {
            ProcessSockets sockets = ProcessSockets.acquire(own);
            sockets.loop().execute(() -> {
                throw new IllegalStateException("a defect");
            });
            assertTrue(left.awaitFailure().contains("a defect"));
            assertTrue(right.awaitFailure().contains("a defect"));
            assertThrows(BackendException.class, () -> left.connection.signal(left.peerMemory, 0));
            String message = assertThrows(
                            BackendException.class,
                            () -> left.transport.createEndpoint(right.transport.describeAddress()))
                    .getMessage();
            assertTrue(String.valueOf(message).contains("a defect"), message);
            sockets.release();
            List<Side> more = Side.pair(own, 64);
            try (Side another = more.getFirst();
                    Side last = more.getLast()) {
                another.awaitCompleted(another.connection.signal(another.peerMemory, 0));
                assertEquals(1, last.counter());
            }
        }
    }
}
