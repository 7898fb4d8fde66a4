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
import java.util.function.Supplier;
import org.mscclj.api.Health;
import org.mscclj.api.error.DurationText;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;
import org.mscclj.runtime.recorder.DriverBudget;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.waiting.Backoff;

/**
 * Answers each client that connects with an array: whether this process is healthy, and the dumps of its ranks. Health
 * comes first, and at once: a client that wants only health hangs up, and need not wait for the answers of devices.
 * Each dump follows as soon as it is made. The server continues after any failure, because it is needed most when
 * something fails.
 *
 * @param server the socket to which clients connect; closing it ends {@link #serve}
 * @param health returns the faults so far; called for each client
 * @param dumps returns the dumps to make; called for each client
 * @param timeout how long a client may take to read health, and to read the dumps
 * @param drivers how long all dumps of an answer wait for drivers together
 */
record DumpServer(
        ServerSocketChannel server,
        Supplier<Health> health,
        Supplier<List<RankDump>> dumps,
        Duration timeout,
        Duration drivers) {
    private static final System.Logger LOGGER = System.getLogger(DumpServer.class.getName());

    /**
     * The pause after a failed accept. If a client cannot be accepted, for example without free file descriptors, the
     * next one cannot at once either.
     */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Answers clients until the server is closed. */
    void serve() {
        while (server.isOpen()) {
            try (SocketChannel client = server.accept()) {
                serve(client);
            } catch (IOException | RuntimeException | Error e) {
                if (server.isOpen()) {
                    LOGGER.log(Level.DEBUG, "a client that asks for a dump could not be accepted", e);
                    Backoff.nap(PAUSE_NANOS);
                }
            }
        }
    }

    private void serve(SocketChannel client) {
        try {
            answer(client);
        } catch (IOException | RuntimeException | Error e) {
            LOGGER.log(Level.DEBUG, "a client that asked for a dump has not received all of it", e);
        }
    }

    private void answer(SocketChannel client) throws IOException {
        client.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            client.register(selector, SelectionKey.OP_WRITE);
            write(client, selector, "[" + HealthText.of(health.get()), Deadline.after(timeout));
            List<Supplier<String>> texts = texts();
            Deadline deadline = Deadline.after(timeout);
            for (Supplier<String> text : texts) {
                long begin = System.nanoTime();
                String made = ",\n" + text.get();
                deadline = deadline.later(Duration.ofNanos(System.nanoTime() - begin)); // no client could read it yet
                write(client, selector, made, deadline);
            }
            write(client, selector, "]\n", deadline);
        }
    }

    private void write(SocketChannel client, Selector selector, String text, Deadline deadline) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline.left());
            if (left == 0) {
                throw new IOException("a client has not read the dump within " + DurationText.of(timeout));
            }
            if (client.write(bytes) == 0) {
                int _ = selector.select(_ -> {}, left);
            }
        }
    }

    /**
     * Returns the suppliers of the text of each dump. If the communicators of the process are not known, returns one
     * that gives the reason.
     */
    private List<Supplier<String>> texts() {
        DriverBudget left = new DriverBudget(drivers);
        try {
            return dumps.get().stream()
                    .<Supplier<String>>map(dump -> () -> dump.json(left))
                    .toList();
        } catch (RuntimeException | Error e) {
            JsonWriter json = new JsonWriter(JsonLayout.LINES).beginObject();
            return List.of(json.field("error", e.toString()).end()::toString);
        }
    }
}
