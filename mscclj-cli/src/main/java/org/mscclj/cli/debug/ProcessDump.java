package org.mscclj.cli.debug;

import java.io.IOException;
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
 * What a process says of its ranks.
 *
 * @param text as JSON; empty if it has ended, said nothing, or not said all of it in time
 * @param late whether it lives, and has not said all in time: whoever connects to a process that is stopped waits for ever
 */
record ProcessDump(Optional<String> text, boolean late) {
    /** Asks a process by its socket, and waits so long. */
    static ProcessDump of(Path socket, Duration patience) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            CompletableFuture<String> answer = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("mscclj-dump").start(() -> read(channel, answer));
            String text = answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return new ProcessDump(Optional.of(text).filter(said -> !said.isBlank()), false);
        } catch (TimeoutException _) {
            return new ProcessDump(Optional.empty(), true);
        } catch (IOException | ExecutionException _) {
            return new ProcessDump(Optional.empty(), false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while process " + number(socket) + " was asked", e);
        }
    }

    private static void read(SocketChannel channel, CompletableFuture<String> answer) {
        try {
            answer.complete(new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) { // also when nobody waits any more, and the channel is closed
            answer.completeExceptionally(e);
        }
    }

    /** The number of the process that listens on a socket. */
    static String number(Path socket) {
        String name = socket.getFileName().toString();
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }
}
