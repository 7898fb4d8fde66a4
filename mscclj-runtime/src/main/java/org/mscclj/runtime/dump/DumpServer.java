package org.mscclj.runtime.dump;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.mscclj.runtime.time.Deadline;

/**
 * Answers whoever connects with the dumps of this process, one after the other. Goes on whatever fails: it is needed most when something does.
 *
 * @param server where they connect; closing it ends {@link #serve}
 * @param dumps what to dump, asked for every time
 * @param patience how long somebody may take to read
 */
record DumpServer(ServerSocketChannel server, Supplier<List<RankDump>> dumps, Duration patience) {
    private static final System.Logger LOGGER = System.getLogger(DumpServer.class.getName());

    /** Where nobody can be accepted, as without file descriptors, the next one cannot at once either. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Answers until the server is closed. */
    void serve() {
        while (server.isOpen()) {
            try (SocketChannel client = server.accept()) {
                answer(client);
            } catch (IOException | RuntimeException | Error e) {
                if (server.isOpen()) {
                    LOGGER.log(Level.DEBUG, "whoever asked for a dump has not got it all", e);
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
            }
        }
    }

    private void answer(SocketChannel client) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text());
        client.configureBlocking(false);
        Deadline deadline = Deadline.after(patience);
        try (Selector selector = Selector.open()) {
            client.register(selector, SelectionKey.OP_WRITE);
            while (bytes.hasRemaining()) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline.left());
                if (left == 0) {
                    throw new IOException("whoever connected has not read the dump within " + patience);
                }
                if (client.write(bytes) == 0) {
                    int _ = selector.select(_ -> {}, left);
                }
            }
        }
    }

    /** All dumps in one array. */
    private String text() {
        try {
            return text(dumps.get());
        } catch (RuntimeException | Error e) {
            JsonWriter json = new JsonWriter().begin('[').begin('{');
            return json.field("error", e.toString()).end('}').end(']') + "\n";
        }
    }

    /** All dumps in one array; of a communicator that cannot be dumped, why. */
    static String text(List<RankDump> dumps) {
        return dumps.stream().map(DumpServer::text).collect(Collectors.joining(",\n", "[", "]\n"));
    }

    private static String text(RankDump dump) {
        try {
            return dump.toString().strip();
        } catch (RuntimeException | Error e) {
            JsonWriter json = new JsonWriter().begin('{');
            dump.writeHead(json);
            return json.field("error", e.toString()).end('}').toString();
        }
    }
}
