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
import org.mscclj.api.Health;
import org.mscclj.runtime.time.Deadline;

/**
 * Answers whoever connects with an array: whether this process is healthy, and the dumps of its ranks. Health comes first, and at once: who wants to know only that need not
 * wait for what devices say, and hangs up. Goes on whatever fails: it is needed most when something does.
 *
 * @param server where they connect; closing it ends {@link #serve}
 * @param health the faults so far, asked for every time
 * @param dumps what to dump, asked for every time
 * @param patience how long somebody may take to read health, and to read the dumps
 */
record DumpServer(
        ServerSocketChannel server, Supplier<Health> health, Supplier<List<RankDump>> dumps, Duration patience) {
    private static final System.Logger LOGGER = System.getLogger(DumpServer.class.getName());

    /** Where nobody can be accepted, as without file descriptors, the next one cannot at once either. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Answers until the server is closed. */
    void serve() {
        while (server.isOpen()) {
            try (SocketChannel client = server.accept()) {
                serve(client);
            } catch (IOException | RuntimeException | Error e) {
                if (server.isOpen()) {
                    LOGGER.log(Level.DEBUG, "nobody could be accepted who asks for a dump", e);
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
            }
        }
    }

    private void serve(SocketChannel client) {
        try {
            answer(client);
        } catch (IOException | RuntimeException | Error e) {
            LOGGER.log(Level.DEBUG, "whoever asked for a dump has not got it all", e);
        }
    }

    private void answer(SocketChannel client) throws IOException {
        client.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            client.register(selector, SelectionKey.OP_WRITE);
            write(client, selector, "[" + HealthText.of(health.get()));
            write(client, selector, ranks() + "]\n");
        }
    }

    private void write(SocketChannel client, Selector selector, String text) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        Deadline deadline = Deadline.after(patience);
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

    /** All dumps, each after a comma. */
    private String ranks() {
        try {
            return dumps.get().stream().map(dump -> ",\n" + text(dump)).collect(Collectors.joining());
        } catch (RuntimeException | Error e) {
            JsonWriter json = new JsonWriter().begin('{');
            return ",\n" + json.field("error", e.toString()).end('}');
        }
    }

    /** A dump; of a communicator that cannot be dumped, why. */
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
