package org.mscclj.transport.tcp.link;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.loop.EventLoop;

/** A link over a channel that takes bytes before its socket does, like one that encrypts. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinkWriterTest {
    private static final int BYTES = 1000;

    private final Encrypting channel = new Encrypting();
    private final FakeKey key = new FakeKey();
    private EventLoop loop;
    private SocketChannel socket;
    private ProcessLink link;
    private LinkStream stream;

    @BeforeEach
    void open() throws Exception {
        loop = new EventLoop(_ -> {});
        loop.start();
        socket = SocketChannel.open();
        byLoop(() -> {
            link = ProcessLink.connected(loop, socket, channel, key, Duration.ofSeconds(10), _ -> {});
            stream = link.open();
            stream.open();
            assertTrue(stream.credit(LinkRecord.WINDOW));
        });
    }

    @AfterEach
    void close() throws Exception {
        byLoop(link::close);
        socket.close();
        loop.stop();
    }

    /** Has the loop's thread do something, as links want it, and waits for that. */
    private void byLoop(Executable what) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            assertDoesNotThrow(what);
            return null;
        });
        loop.execute(task);
        task.get();
    }

    private void write() {
        ByteBuffer bytes = ByteBuffer.allocate(LaneChannel.HEADROOM + BYTES);
        assertEquals(BYTES, stream.write(bytes.position(LaneChannel.HEADROOM)));
    }

    /** Whether the loop comes back when the socket takes more. */
    private boolean isAsked() {
        return (key.interestOps() & SelectionKey.OP_WRITE) != 0;
    }

    @Test
    void bytesHeldByTheChannelAreSentWhenTheSocketIsWritable() throws Exception {
        byLoop(() -> {
            assertFalse(isAsked());
            channel.full = true;
            write();
            assertTrue(channel.held > 0 && isAsked());
            channel.full = false;
            link.ready();
            assertEquals(0, channel.held);
            assertFalse(isAsked());
        });
    }

    /** The end of its last stream, for example. */
    @Test
    void aLinkIsClosedWhenItsChannelHasSentEverything() throws Exception {
        byLoop(() -> {
            stream.end();
            channel.full = true;
            stream.close();
            assertTrue(channel.held > 0 && channel.isOpen);
            channel.full = false;
            link.ready();
            assertEquals(0, channel.held);
            assertFalse(channel.isOpen);
        });
    }

    @Test
    void bytesLeftByTheGreetingAreSent() throws Exception {
        byLoop(() -> {
            channel.full = true;
            channel.held = 1;
            ProcessLink other = ProcessLink.connected(loop, socket, channel, key, Duration.ofSeconds(10), _ -> {});
            assertTrue(isAsked());
            channel.full = false;
            other.ready();
            assertEquals(0, channel.held);
            other.close();
        });
    }

    /** Takes all bytes, and holds them while the socket is full; then it takes no more. */
    private static final class Encrypting implements LaneChannel {
        private boolean full;
        private boolean isOpen = true;
        private int held;

        @Override
        public int read(ByteBuffer to) {
            return 0;
        }

        @Override
        public int write(ByteBuffer from) {
            if (!full) {
                held = 0;
            }
            int count = held == 0 ? from.remaining() : 0;
            from.position(from.position() + count);
            held += full ? count : 0;
            return count;
        }

        @Override
        public boolean holdsReceived() {
            return false;
        }

        @Override
        public boolean wantsWrite(boolean dataWaits) {
            return held > 0 || dataWaits;
        }

        @Override
        public void close() {
            isOpen = false;
        }
    }
}
