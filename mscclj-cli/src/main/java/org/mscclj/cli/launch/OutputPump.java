package org.mscclj.cli.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.function.Consumer;

/** Forwards the output of a process by whole lines, so that lines of different ranks do not mix. */
final class OutputPump {
    private final Thread thread;

    private OutputPump(Thread thread) {
        this.thread = thread;
    }

    static OutputPump start(InputStream from, Consumer<String> to) {
        return new OutputPump(
                Thread.ofPlatform().daemon().name("mscclj-launch-output").start(() -> pump(from, to)));
    }

    private static void pump(InputStream from, Consumer<String> to) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, Charset.defaultCharset()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                to.accept(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what a rank writes", e);
        }
    }

    /** Waits until all output is forwarded, but not for a grandchild that keeps the stream open. */
    void await(Duration most) throws InterruptedException {
        thread.join(most);
    }
}
