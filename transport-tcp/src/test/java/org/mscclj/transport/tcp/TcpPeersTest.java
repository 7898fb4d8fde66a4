package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.spi.network.KeepAlive;
import org.mscclj.spi.protection.WireProtection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.transport.tcp.connection.Frame;
import org.mscclj.transport.tcp.greeting.EndpointDescription;
import org.mscclj.transport.tcp.greeting.Hello;
import org.mscclj.transport.tcp.greeting.Listener;
import org.mscclj.transport.tcp.greeting.ProcessSockets;
import org.mscclj.transport.tcp.memory.TcpRemoteMemory;
import org.mscclj.transport.tcp.settings.TcpSettings;

/** Peers that are malicious, dead, or unauthenticated. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TcpPeersTest {
    private static final int BYTES = Awaiting.BYTES;

    private static final int GUARD = Awaiting.GUARD;

    /** A frame that must be refused: type, length, position, whose memory, offset, total; and what is said about it. */
    private record BadFrame(
            int type, int length, long position, boolean known, long offset, long total, String complaint) {}

    static Stream<BadFrame> badFrames() {
        return Stream.of(
                new BadFrame(Frame.WRITE, 8, 1, true, BYTES - 7, 8, "8 bytes for offset 249"),
                new BadFrame(Frame.WRITE, 8, 1, true, -8, 8, "8 bytes for offset -8"),
                new BadFrame(Frame.WRITE, 8, 1, true, Long.MAX_VALUE, 8, "offset 9223372036854775807"),
                new BadFrame(Frame.WRITE, BYTES + 1, 1, true, 0, BYTES + 1, "257 bytes for offset 0"),
                new BadFrame(Frame.WRITE, 8, 1, false, 0, 8, "never registered"),
                new BadFrame(Frame.WRITE, -1, 1, true, 0, 8, "a frame of -1 bytes"),
                new BadFrame(Frame.WRITE, Integer.MAX_VALUE, 1, true, 0, 8, "a frame of 2147483647 bytes"),
                new BadFrame(Frame.WRITE, 16, 1, true, 0, 8, "part of operation 1"),
                new BadFrame(Frame.WRITE, 8, 1, true, 0, -1, "part of operation 1"),
                new BadFrame(Frame.WRITE, 8, 0, true, 0, 8, "part of operation 0"),
                new BadFrame(Frame.SIGNAL, 0, 1, true, BYTES - 7, 0, "where no counter can be"),
                new BadFrame(Frame.SIGNAL, 0, 1, true, BYTES, 0, "where no counter can be"),
                new BadFrame(Frame.SIGNAL, 0, 1, true, 4, 0, "where no counter can be"),
                new BadFrame(Frame.SIGNAL, 0, 1, true, 0, 8, "part of operation 1"),
                new BadFrame(Frame.ACKNOWLEDGE, 0, 1, true, 0, 0, "an acknowledgement of operation 1"),
                new BadFrame(99, 0, 1, true, 0, 0, "unknown type 99"));
    }

    @ParameterizedTest
    @MethodSource("badFrames")
    void aBadFrameIsRejectedAndNothingIsStored(BadFrame bad) throws Exception {
        try (Awaiting side = new Awaiting(1);
                RawPeer peer = side.accepted()) {
            long id = bad.known() ? side.memoryId() : side.memoryId() + 7;
            peer.frame(bad.type(), bad.length(), bad.position(), id, bad.offset(), bad.total());
            String reason = side.side.awaitFailure();
            assertTrue(reason.contains(bad.complaint()), reason);
            assertTrue(new String(peer.readAll(), StandardCharsets.UTF_8).contains(bad.complaint()));
            assertEquals(-1, side.side.buffer.segment().mismatch(MemorySegment.ofArray(new byte[BYTES + 2 * GUARD])));
            assertThrows(BackendException.class, () -> side.connection.signal(new TcpRemoteMemory(1, 8, 0), 0));
        }
    }

    @Test
    void aGoodFrameOfTheSameKindIsStored() throws Exception {
        try (Awaiting side = new Awaiting(1);
                RawPeer peer = side.accepted()) {
            peer.frame(Frame.WRITE, 8, 1, side.memoryId(), BYTES - 8, 8);
            peer.frame(Frame.SIGNAL, 0, 2, side.memoryId(), 0, 0);
            while (side.side.device.readCounter(side.side.buffer, GUARD) == 0) {
                Thread.onSpinWait();
            }
            assertEquals(0x5a, side.side.buffer.segment().get(ValueLayout.JAVA_BYTE, GUARD + BYTES - 1));
            assertTrue(side.side.failures.isEmpty());
        }
    }

    @Test
    void unauthenticatedSocketsAreRejectedAndBlockNoPeer() throws Exception {
        List<RawPeer> silent = new ArrayList<>();
        try (Awaiting side = new Awaiting(1)) {
            for (int i = 0; i < 20; i++) {
                silent.add(new RawPeer(side.description()));
            }
            try (RawPeer garbage = new RawPeer(side.description())) {
                garbage.out.write(new byte[Hello.BYTES]);
                assertEquals(0, garbage.readAll().length);
            }
            try (RawPeer endless = new RawPeer(side.description())) {
                assertThrows(SocketException.class, () -> {
                    while (true) {
                        endless.out.write(new byte[64 * 1024]);
                    }
                });
            }
            try (RawPeer liar = new RawPeer(side.description())) {
                assertFalse(liar.greet(side.description().id(), new byte[Hello.TOKEN]));
            }
            try (RawPeer lost = new RawPeer(side.description())) {
                assertFalse(lost.greet(12345, side.description().token()));
            }
            try (RawPeer peer = side.accepted();
                    RawPeer second = new RawPeer(side.description())) {
                peer.frame(Frame.SIGNAL, 0, 1, side.memoryId(), 0, 0);
                while (side.side.device.readCounter(side.side.buffer, GUARD) == 0) {
                    Thread.onSpinWait();
                }
                assertFalse(
                        second.greet(side.description().id(), side.description().token()), "the lane is taken");
            }
            for (RawPeer one : silent) {
                assertEquals(0, one.readAll().length); // closed after a while
            }
        } finally {
            for (RawPeer one : silent) {
                one.close();
            }
        }
    }

    @Test
    void excessUnauthenticatedSocketsReplaceTheOldest() throws Exception {
        List<RawPeer> silent = new ArrayList<>();
        try (Awaiting side = new Awaiting(1)) {
            for (int i = 0; i < 300; i++) {
                silent.add(new RawPeer(side.description()));
            }
            silent.getFirst().socket.setSoTimeout(2_000); // before any of them has been silent for too long
            assertEquals(0, silent.getFirst().readAll().length);
            try (RawPeer peer = side.accepted()) {
                assertTrue(peer.socket.isConnected());
            }
        } finally {
            for (RawPeer one : silent) {
                one.close();
            }
        }
    }

    @Test
    void acceptingPausesWhenItFails() throws Exception {
        TcpSettings own = Awaiting.settings(3); // no other test shares its loop
        ProcessSockets sockets = ProcessSockets.acquire(own);
        try (Awaiting side = new Awaiting(own)) {
            CompletableFuture<SelectionKey> paused = new CompletableFuture<>();
            sockets.loop().execute(() -> {
                SelectionKey key = sockets.loop().selector().keys().stream()
                        .filter(one -> one.attachment() instanceof Listener)
                        .findFirst()
                        .orElseThrow();
                ((Listener) key.attachment()).failed(new IOException("no file descriptor is free"));
                assertEquals(0, key.interestOps());
                paused.complete(key);
            });
            SelectionKey key = paused.get(5, TimeUnit.SECONDS);
            try (RawPeer peer = side.accepted(0, 3)) {
                assertTrue(peer.socket.isConnected());
                assertEquals(SelectionKey.OP_ACCEPT, key.interestOps());
            }
        } finally {
            sockets.release();
        }
    }

    @Test
    void aPeerThatDiesIsReported() throws Exception {
        try (Awaiting side = new Awaiting(1)) {
            try (RawPeer peer = side.accepted()) {
                long position = side.connection.write(side.side.memory, 0, new TcpRemoteMemory(1, BYTES, 0), 0, 100);
                assertEquals(0, side.connection.completed());
                assertEquals(1, position);
                peer.socket.setSoLinger(true, 0); // as if its process were killed
            }
            String reason = side.side.awaitFailure();
            assertTrue(reason.startsWith("connection over tcp to 127.0.0.1:9: "), reason);
            assertThrows(BackendException.class, side.connection::completed);
        }
    }

    @Test
    void aPeerThatLeavesOperationsUndoneIsReported() throws Exception {
        try (Awaiting side = new Awaiting(1);
                RawPeer peer = side.accepted()) {
            side.connection.write(side.side.memory, 0, new TcpRemoteMemory(1, BYTES, 0), 0, 100);
            peer.frame(Frame.GOODBYE, 0, 0, 0, 0, 0);
            peer.socket.shutdownOutput();
            String reason = side.side.awaitFailure();
            assertTrue(reason.contains("before it had taken everything"), reason);
        }
    }

    @Test
    void anAddressWithoutListenerIsReported() {
        try (Side side = new Side(Awaiting.settings(1), 8);
                TransportEndpoint end = side.transport.createEndpoint(side.transport.describeAddress())) {
            EndpointDescription nobody = new EndpointDescription(
                    Awaiting.HIGHEST, new InetSocketAddress("127.0.0.1", 1), 1, new byte[Hello.TOKEN], 1);
            String message = assertThrows(BackendException.class, () -> end.connect(nobody.encode()))
                    .getMessage();
            assertTrue(
                    String.valueOf(message).startsWith("connection over tcp to 127.0.0.1:1: cannot connect"), message);
        }
    }

    /** As when its process is stopped: the operating system still accepts. */
    @Test
    void theTimeoutOfTheCallLimitsTheWaitForAPeer() throws Exception {
        try (Side side = new Side(Awaiting.settings(1), 8);
                ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TransportEndpoint end = side.transport.createEndpoint(side.transport.describeAddress())) {
            byte[] peer = mute(mute).encode();
            String message = assertThrows(
                            OperationTimeoutException.class, () -> end.connect(peer, Duration.ofMillis(300)))
                    .getMessage();
            assertTrue(String.valueOf(message).contains(": it did not answer within 300 ms; "), message);
        }
    }

    @Test
    void aWaitForAnAnswerEndsWhenTheEndIsClosed() throws Exception {
        try (Side side = new Side(Awaiting.settings(1), 8);
                ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TransportEndpoint end = side.transport.createEndpoint(side.transport.describeAddress())) {
            byte[] peer = mute(mute).encode();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
                Socket _ = accepted(mute);
                end.close();
            });
            assertThrows(InvalidArgumentException.class, () -> end.connect(peer, Duration.ofMinutes(5)));
            closing.join();
        }
    }

    private static Socket accepted(ServerSocket mute) {
        try {
            return mute.accept();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of a peer that this side connects to. */
    private static EndpointDescription mute(ServerSocket listener) {
        return new EndpointDescription(
                Awaiting.HIGHEST,
                new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()),
                1,
                new byte[Hello.TOKEN],
                1);
    }

    @Test
    void aPeerThatNeverConnectsIsReported() throws Exception {
        TcpSettings hasty = new TcpSettings(
                PortRange.ANY,
                Optional.empty(),
                1,
                Duration.ofMillis(200),
                Optional.empty(),
                WireProtection.HOSTS,
                KeepAlive.DEFAULT);
        try (Awaiting side = new Awaiting(hasty)) {
            side.connection.signal(new TcpRemoteMemory(1, 8, 0), 0);
            String reason = side.side.awaitFailure();
            assertTrue(reason.contains("did not connect to"), reason);
            assertThrows(BackendException.class, side.connection::completed);
        }
    }
}
