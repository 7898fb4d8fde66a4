package org.mscclj.cli.stress.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.error.DurationText;
import org.mscclj.cli.launch.SameCommand;
import org.mscclj.cli.stress.rank.Report;

/**
 * A rank that is a process of its own, does as it is told, and can be killed, terminated and stopped. Used by one
 * thread.
 */
public final class RankProcess implements AutoCloseable {
    private static final int LAST_LINES = 12;

    /** How often it is looked at whether the process goes on. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Process process;
    private final Thread reader;
    private final LinkedBlockingQueue<Heard> reports = new LinkedBlockingQueue<>();
    private final Queue<String> lastLines = new ConcurrentLinkedQueue<>();

    /**
     * A report.
     *
     * @param report what the rank says
     * @param nanos when it came, as of {@link System#nanoTime}
     */
    public record Heard(Report report, long nanos) {}

    private RankProcess(Process process) {
        this.process = process;
        this.reader = Thread.ofPlatform()
                .daemon()
                .name("mscclj-stress-rank-" + process.pid())
                .start(this::read);
    }

    /** Starts one, with more variables in its environment. */
    public static RankProcess start(Map<String, String> environment) {
        ProcessBuilder builder = SameCommand.builder(List.of("stress", "rank")).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return new RankProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("a rank cannot be started", e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                long now = System.nanoTime();
                lastLines.add(line);
                if (lastLines.size() > LAST_LINES) {
                    lastLines.poll();
                }
                Report.parse(line).ifPresent(report -> reports.add(new Heard(report, now)));
            }
        } catch (IOException _) {
            // it has ended
        }
    }

    /** Tells it what to do. */
    public void tell(String line) {
        try {
            process.outputWriter().write(line + "\n");
            process.outputWriter().flush();
        } catch (IOException e) {
            throw new UncheckedIOException("a rank that should be told \"" + line + "\" has ended; " + this, e);
        }
    }

    /**
     * The next report.
     *
     * @throws IllegalStateException if it does not come in time
     */
    Heard await(Duration limit) {
        return poll(limit)
                .orElseThrow(
                        () -> new IllegalStateException("no report within " + DurationText.of(limit) + "; " + this));
    }

    /** The next report; empty if it does not come in time, or the process has ended. */
    public Optional<Heard> poll(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            Heard heard = reports.poll();
            while (heard == null && reader.isAlive() && System.nanoTime() - deadline < 0) {
                heard = reports.poll(
                        Math.min(LOOK_NANOS, Math.max(0, deadline - System.nanoTime())), TimeUnit.NANOSECONDS);
            }
            return Optional.ofNullable(heard == null ? reports.poll() : heard); // what came before its end
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The next report, which must be of a kind. */
    public Heard await(Report.Kind kind, Duration limit) {
        Heard heard = await(limit);
        if (heard.report().kind() != kind) {
            throw new IllegalStateException("expected the report " + kind + ", got " + heard.report());
        }
        if (heard.report().saysMore()) {
            throw new IllegalStateException("more has gone wrong than was done to it: " + heard.report());
        }
        return heard;
    }

    /** Its number. */
    public long pid() {
        return process.pid();
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it by SIGKILL; does not wait. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Ends it by SIGTERM, and leaves its input open, whose end would tell it to end by itself; does not wait. */
    public void terminate() {
        boolean _ = process.toHandle().destroy();
    }

    /** Stops it until what this gives is closed. */
    public StoppedProcess stop() {
        return StoppedProcess.stop(process.pid());
    }

    /** Closes its input, after which a rank that nothing holds up ends. */
    public void dismiss() {
        try {
            process.outputWriter().close();
        } catch (IOException _) {
            // it has ended
        }
    }

    /**
     * Its exit code.
     *
     * @throws IllegalStateException if it does not end in time
     */
    public int awaitEnd(Duration limit) {
        try {
            if (process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                return process.exitValue();
            }
            throw new IllegalStateException("it has not ended after " + DurationText.of(limit) + "; " + this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return "process " + process.pid()
                + (process.isAlive() ? " runs" : " has ended with code " + process.exitValue()) + " and has said "
                + lastLines;
    }
}
