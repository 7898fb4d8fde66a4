package org.mscclj.cli.debug;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mscclj.api.error.AbortedException;

/**
 * What a process says of itself and its ranks.
 *
 * @param process its number
 * @param said what was read of it; empty if it has ended, said nothing, or not said enough in time
 * @param late whether it lives, and has not said enough in time: whoever asks a process that is stopped, or even
 *     connects to it where others have before, waits for ever
 */
record ProcessAnswer<T>(long process, Optional<T> said, boolean late) {
    static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Reads as much of an answer as it needs. */
    interface Reading<T> {
        /** Gives nothing if the answer ends before. */
        Optional<T> of(InputStream answer) throws IOException;
    }

    /** Asks a process by its socket, and waits so long. */
    static <T> ProcessAnswer<T> of(Path socket, Duration patience, Reading<T> reading) {
        long process = number(socket);
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("mscclj-ask").start(() -> read(channel, socket, reading, answer));
            return new ProcessAnswer<>(process, answer.get(patience.toNanos(), TimeUnit.NANOSECONDS), false);
        } catch (TimeoutException _) {
            return new ProcessAnswer<>(process, Optional.empty(), true);
        } catch (IOException | ExecutionException _) {
            return new ProcessAnswer<>(process, Optional.empty(), false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while process " + process + " was asked", e);
        }
    }

    private static <T> void read(
            SocketChannel channel, Path socket, Reading<T> reading, CompletableFuture<Optional<T>> answer) {
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            answer.complete(reading.of(Channels.newInputStream(channel)));
        } catch (IOException | RuntimeException e) { // also when nobody waits any more, and the channel is closed
            answer.completeExceptionally(e);
        }
    }

    /** Reads all. */
    static Optional<String> text(InputStream answer) throws IOException {
        return Optional.of(new String(answer.readAllBytes(), StandardCharsets.UTF_8))
                .filter(text -> !text.isBlank());
    }

    /** Why there is nothing, in words that follow the name of the process. */
    String silence() {
        return late
                ? "has not answered within " + PATIENCE.toSeconds() + " s; it may have been stopped"
                : "has said nothing; it has ended, or ends";
    }

    /** The number of the process that listens on a socket. */
    static long number(Path socket) {
        String name = socket.getFileName().toString();
        return Long.parseLong(name.substring(0, name.lastIndexOf('.')));
    }
}
