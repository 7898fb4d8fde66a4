package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.connection.Frame;
import org.mscclj.transport.tcp.greeting.ProcessSockets;
import org.mscclj.transport.tcp.link.FakeKey;
import org.mscclj.transport.tcp.link.LinkRecord;
import org.mscclj.transport.tcp.link.LinkStream;
import org.mscclj.transport.tcp.link.ProcessLink;

/**
 * The limits of a peer that is authenticated for one connection: it cannot exhaust time, sockets and memory of the
 * process.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinkLimitsTest {
    @Test
    void aPeerThatSendsWithoutEndBlocksNoOther() throws Exception {
        ProcessSockets sockets = ProcessSockets.acquire(Awaiting.settings(1));
        Endless endless = new Endless();
        try (SocketChannel socket = SocketChannel.open()) {
            sockets.loop()
                    .execute(() -> ProcessLink.accepted(
                            sockets.loop(), socket, endless, new FakeKey(), sockets.strangerTimeout(), sockets::greet));
            try (Awaiting other = new Awaiting(1);
                    RawPeer peer = other.accepted()) {
                peer.frame(Frame.SIGNAL, 0, 1, other.memoryId(), 0, 0);
                while (other.side.device.readCounter(other.side.buffer, Awaiting.GUARD) == 0) {
                    Thread.onSpinWait();
                }
            }
            assertTrue(endless.isOpen);
        } finally {
            endless.over = true;
            while (endless.isOpen) {
                Thread.onSpinWait();
            }
            sockets.release();
        }
    }

    @Test
    void aConnectionAdmitsAsManyLinksAsItHasLanes() throws Exception {
        try (Awaiting side = new Awaiting(2);
                RawPeer first = new RawPeer(side.description());
                RawPeer second = new RawPeer(side.description());
                RawPeer third = new RawPeer(side.description())) {
            long end = side.description().id();
            byte[] token = side.description().token();
            assertTrue(first.greetLink(end, token));
            assertTrue(second.greetLink(end, token));
            assertFalse(third.greetLink(end, token));
        }
    }

    /** Sends streams that begin and end at once, until the link breaks; why it did. */
    private static String openUntilRefused(Awaiting side, RawPeer peer, int step) throws Exception {
        ByteBuffer records = ByteBuffer.allocate(2 * LinkRecord.HEADER * 1024);
        try {
            for (int stream = 1; side.side.failures.isEmpty(); ) {
                records.clear();
                while (records.hasRemaining()) {
                    records.putInt(LinkRecord.OPEN).putInt(stream).putInt(0);
                    records.putInt(LinkRecord.END).putInt(stream).putInt(0);
                    stream += step;
                }
                peer.socket.getOutputStream().write(records.array());
            }
        } catch (IOException _) {
            // the side has closed the socket
        }
        return side.side.awaitFailure();
    }

    @Test
    void aPeerThatDoesNotReadOpensNoStreamsWithoutEnd() throws Exception {
        try (Awaiting side = new Awaiting(1);
                RawPeer peer = side.accepted()) {
            String reason = openUntilRefused(side, peer, 0);
            assertTrue(reason.contains("and reads nothing"), reason);
        }
    }

    /** The window, for every pattern of arrival. */
    @Test
    void aStreamKeepsNoMoreThanItsWindow() throws Exception {
        ProcessSockets sockets = ProcessSockets.acquire(Awaiting.settings(1));
        try (SocketChannel socket = SocketChannel.open()) {
            FutureTask<Integer> largest = new FutureTask<>(() -> {
                ProcessLink link = ProcessLink.connected(
                        sockets.loop(), socket, new Endless(), new FakeKey(), sockets.strangerTimeout(), _ -> {});
                LinkStream stream = link.open();
                int part = LinkRecord.MAX_DATA;
                int most = 0;
                for (int left = LinkRecord.FIRST_WINDOW + LinkRecord.WINDOW; left > 0; left -= part) {
                    part = Math.min(part, left);
                    most = Math.max(most, stream.spare(part).capacity());
                    stream.kept(part);
                }
                link.close();
                return most;
            });
            sockets.loop().execute(largest);
            assertEquals(LinkRecord.FIRST_WINDOW + LinkRecord.WINDOW, largest.get());
        } finally {
            sockets.release();
        }
    }

    @Test
    void theNumbersOfStreamsAreLimited() throws Exception {
        try (Awaiting side = new Awaiting(1);
                RawPeer peer = side.accepted()) {
            Thread reading = Thread.ofPlatform().daemon().start(() -> {
                byte[] some = new byte[64 * 1024];
                try {
                    while (peer.socket.getInputStream().read(some) >= 0) {
                        // what it says does not matter
                    }
                } catch (IOException _) {
                    // the side has closed the socket
                }
            });
            String reason = openUntilRefused(side, peer, 1);
            assertTrue(reason.contains("it opens stream " + ProcessLink.MAX_STREAMS + ", which it may not"), reason);
            reading.join();
        }
    }

    /**
     * Opens a stream, and says of it again and again that it may send no more than before. So many records come at once
     * that others are there whenever the link has had its turn.
     */
    private static final class Endless implements LaneChannel {
        private volatile boolean over;
        private volatile boolean isOpen = true;
        private int kind = LinkRecord.OPEN;
        private int records = 8;

        @Override
        public int read(ByteBuffer to) {
            if (over || !isOpen) {
                return -1;
            }
            int start = to.position();
            for (int i = 0; i < records; i++) {
                to.putInt(kind).putInt(0).putInt(0);
                kind = LinkRecord.CREDIT;
            }
            records = 1024;
            return to.position() - start;
        }

        @Override
        public int write(ByteBuffer from) {
            int count = from.remaining();
            from.position(from.limit());
            return count;
        }

        @Override
        public boolean holdsReceived() {
            return false;
        }

        @Override
        public boolean wantsWrite(boolean dataWaits) {
            return dataWaits;
        }

        @Override
        public void close() {
            isOpen = false;
        }
    }
}
