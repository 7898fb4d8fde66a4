package org.mscclj.cli.stress.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.error.DurationText;
import org.mscclj.cli.launch.SameCommand;
import org.mscclj.cli.stress.rank.Report;

/** A rank that is a process of its own, does as it is told, and can be killed. Used by one thread. */
final class RankProcess implements AutoCloseable {
    private static final int LAST_LINES = 12;

    private final Process process;
    private final LinkedBlockingQueue<Heard> reports = new LinkedBlockingQueue<>();
    private final Queue<String> lastLines = new ConcurrentLinkedQueue<>();

    /**
     * A report.
     *
     * @param nanos when it came, as of {@link System#nanoTime}
     */
    record Heard(Report report, long nanos) {}

    private RankProcess(Process process) {
        this.process = process;
        Thread.ofPlatform().daemon().name("mscclj-stress-rank-" + process.pid()).start(this::read);
    }

    /** Starts one, with more variables in its environment. */
    static RankProcess start(Map<String, String> environment) {
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
    void tell(String line) {
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
        try {
            Heard heard = reports.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (heard == null) {
                throw new IllegalStateException("no report after " + DurationText.of(limit) + "; " + this);
            }
            return heard;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The next report, which must be of a kind. */
    Heard await(Report.Kind kind, Duration limit) {
        Heard heard = await(limit);
        if (heard.report().kind() != kind) {
            throw new IllegalStateException("expected the report " + kind + ", got " + heard.report());
        }
        if (heard.report().saysMore()) {
            throw new IllegalStateException("more has gone wrong than was done to it: " + heard.report());
        }
        return heard;
    }

    /** Ends it by SIGKILL; does not wait. */
    void kill() {
        process.destroyForcibly();
    }

    /** Stops it until what this gives is closed. */
    StoppedProcess stop() {
        return StoppedProcess.stop(process.pid());
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
