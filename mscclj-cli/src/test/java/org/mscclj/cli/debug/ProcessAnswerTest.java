package org.mscclj.cli.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessAnswerTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(50);

    private static ServerSocketChannel listen(Path socket) throws Exception {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return server.bind(UnixDomainSocketAddress.of(socket));
    }

    @Test
    void aStoppedProcessIsLate(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("12.sock");
        try (ServerSocketChannel _ = listen(socket)) { // the system accepts connections for it
            assertEquals(
                    new ProcessAnswer<>(12, Optional.empty(), true),
                    ProcessAnswer.of(socket, SHORT, ProcessAnswer::text));
        }
    }

    /** Earlier connections fill the accept queue. */
    @Test
    void aStoppedProcessWithAFullQueueIsLate(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("12.sock");
        List<SocketChannel> others = new ArrayList<>();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket), 1);
            for (boolean connected = true; connected; ) {
                SocketChannel other = SocketChannel.open(StandardProtocolFamily.UNIX);
                others.add(other);
                other.configureBlocking(false);
                connected = connects(other, socket);
            }
            assertEquals(
                    new ProcessAnswer<>(12, Optional.empty(), true),
                    ProcessAnswer.of(socket, SHORT, ProcessAnswer::text));
        } finally {
            for (SocketChannel other : others) {
                other.close();
            }
        }
    }

    /** Whether the queue has space; the system reports a full queue as an error. */
    private static boolean connects(SocketChannel channel, Path socket) {
        try {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void anEndedProcessIsNotLate(@TempDir Path folder) {
        assertEquals(
                new ProcessAnswer<>(12, Optional.empty(), false),
                ProcessAnswer.of(folder.resolve("12.sock"), LONG, ProcessAnswer::text));
    }

    @Test
    void anAnswerIsReadToItsEnd(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("12.sock");
        try (ServerSocketChannel server = listen(socket)) {
            Thread process = Thread.ofPlatform().start(() -> {
                try (SocketChannel client = server.accept()) {
                    int _ = client.write(ByteBuffer.wrap(new byte[] {'[', ']'}));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertEquals(
                    new ProcessAnswer<>(12, Optional.of("[]"), false),
                    ProcessAnswer.of(socket, LONG, ProcessAnswer::text));
            process.join();
        }
    }

    @Test
    void anEmptyAnswerIsNoDump(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("12.sock");
        try (ServerSocketChannel server = listen(socket)) {
            Thread process = Thread.ofPlatform().start(() -> {
                try (SocketChannel _ = server.accept()) {
                    // it ends before it answers
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertEquals(
                    new ProcessAnswer<>(12, Optional.empty(), false),
                    ProcessAnswer.of(socket, LONG, ProcessAnswer::text));
            process.join();
        }
    }
}
