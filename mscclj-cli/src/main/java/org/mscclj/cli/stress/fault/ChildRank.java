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
import org.mscclj.cli.stress.rank.RankReport;

/** A rank in a child process, which executes commands and can be killed, terminated and stopped. Used by one thread. */
public final class ChildRank implements AutoCloseable {
    private static final int LAST_LINES = 12;

    /** Interval of the checks that the process is alive. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Process process;
    private final Thread reader;
    private final LinkedBlockingQueue<ReceivedReport> reports = new LinkedBlockingQueue<>();
    private final Queue<String> lastLines = new ConcurrentLinkedQueue<>();

    /**
     * A report.
     *
     * @param report the rank's report
     * @param nanos the time of its arrival, of {@link System#nanoTime}
     */
    public record ReceivedReport(RankReport report, long nanos) {}

    private ChildRank(Process process) {
        this.process = process;
        this.reader = Thread.ofPlatform()
                .daemon()
                .name("mscclj-stress-rank-" + process.pid())
                .start(this::read);
    }

    /** Starts a rank with additional environment variables. */
    public static ChildRank start(Map<String, String> environment) {
        ProcessBuilder builder = SameCommand.builder(List.of("stress", "rank")).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return new ChildRank(builder.start());
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
                RankReport.parse(line).ifPresent(report -> reports.add(new ReceivedReport(report, now)));
            }
        } catch (IOException _) {
            // it has ended
        }
    }

    /** Sends a command. */
    public void send(String line) {
        try {
            process.outputWriter().write(line + "\n");
            process.outputWriter().flush();
        } catch (IOException e) {
            throw new UncheckedIOException("a rank that should execute \"" + line + "\" has ended; " + this, e);
        }
    }

    /**
     * Returns the next report.
     *
     * @throws IllegalStateException if none arrives in time
     */
    ReceivedReport await(Duration limit) {
        return poll(limit)
                .orElseThrow(
                        () -> new IllegalStateException("no report within " + DurationText.of(limit) + "; " + this));
    }

    /** Returns the next report; empty if none arrives in time, or the process has ended. */
    public Optional<ReceivedReport> poll(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            ReceivedReport heard = reports.poll();
            while (heard == null && reader.isAlive() && System.nanoTime() - deadline < 0) {
                heard = reports.poll(
                        Math.min(LOOK_NANOS, Math.max(0, deadline - System.nanoTime())), TimeUnit.NANOSECONDS);
            }
            return Optional.ofNullable(heard == null ? reports.poll() : heard); // reports from before its end
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Returns the next report, which must be of a kind. */
    public ReceivedReport await(RankReport.Kind kind, Duration limit) {
        ReceivedReport heard = await(limit);
        if (heard.report().kind() != kind) {
            throw new IllegalStateException("expected the report " + kind + ", got " + heard.report());
        }
        if (heard.report().saysMore()) {
            throw new IllegalStateException("it has failed for another reason than its fault: " + heard.report());
        }
        return heard;
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process is alive. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGKILL; does not wait. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Sends SIGTERM; does not wait. Leaves its input open, since the end of the input would end it normally. */
    public void terminate() {
        boolean _ = process.toHandle().destroy();
    }

    /** Stops the process until the result is closed. */
    public StoppedProcess stop() {
        return StoppedProcess.stop(process.pid());
    }

    /** Closes its input, which ends the rank normally unless it hangs. */
    public void dismiss() {
        try {
            process.outputWriter().close();
        } catch (IOException _) {
            // it has ended
        }
    }

    /**
     * Returns the exit code.
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
                + (process.isAlive() ? " runs" : " has ended with code " + process.exitValue()) + " and has reported "
                + lastLines;
    }
}
