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
 * The answer of a process about itself and its ranks.
 *
 * @param process its process id
 * @param answer the part that was read; empty if the process has ended, has sent nothing, or has not sent enough in
 *     time
 * @param late whether it runs but has not sent enough in time: a stopped process never answers, and even a connection
 *     to it may wait forever
 */
record ProcessAnswer<T>(long process, Optional<T> answer, boolean late) {
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** Reads the part of an answer that a command needs. */
    interface Reading<T> {
        /** Returns empty if the answer ends too early. */
        Optional<T> of(InputStream answer) throws IOException;
    }

    /** Requests an answer through the socket of a process, within a time limit. */
    static <T> ProcessAnswer<T> of(Path socket, Duration timeout, Reading<T> reading) {
        long process = number(socket);
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("mscclj-ask").start(() -> read(channel, socket, reading, answer));
            return new ProcessAnswer<>(process, answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS), false);
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
        } catch (IOException | RuntimeException e) { // also after the time limit, which closes the channel
            answer.completeExceptionally(e);
        }
    }

    /** Reads the whole answer. */
    static Optional<String> text(InputStream answer) throws IOException {
        return Optional.of(new String(answer.readAllBytes(), StandardCharsets.UTF_8))
                .filter(text -> !text.isBlank());
    }

    /** Returns why there is no answer, as a predicate that follows the name of the process. */
    String silence() {
        return late
                ? "has not answered within " + TIMEOUT.toSeconds() + " s; it may have been stopped"
                : "has sent nothing; it has ended or is ending";
    }

    /** Returns the id of the process that listens on a socket. */
    static long number(Path socket) {
        String name = socket.getFileName().toString();
        return Long.parseLong(name.substring(0, name.lastIndexOf('.')));
    }
}
