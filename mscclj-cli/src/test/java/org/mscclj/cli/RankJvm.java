package org.mscclj.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A program of the tests in a small child JVM on the class path. Waits for it have a time limit, and closing it ends
 * it.
 */
public final class RankJvm implements AutoCloseable {
    private final Process process;
    private final Thread reader;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> transcript = Collections.synchronizedList(new ArrayList<>());

    private RankJvm(Process process) {
        this.process = process;
        this.reader = Thread.ofVirtual().start(this::read);
    }

    /**
     * Starts one.
     *
     * @param main its main class
     * @param temporary its directory for temporary files, which the VM itself leaves alone
     * @param variables added to the environment
     * @param arguments of the main class
     */
    public static RankJvm start(Class<?> main, Path temporary, Map<String, String> variables, String... arguments)
            throws IOException {
        List<String> command = JavaCommand.of(
                main,
                List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx256m", "-Djava.io.tmpdir=" + temporary),
                arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        return new RankJvm(builder.start());
    }

    /** Returns the environment variables of a rank of a group on this host. */
    public static Map<String, String> variables(int rank, int ranks, String job) {
        return Map.of(
                "MSCCLJ_RANK", Integer.toString(rank),
                "MSCCLJ_WORLD_SIZE", Integer.toString(ranks),
                "MSCCLJ_JOB", job);
    }

    /** Returns the variables of a rank of a group on several simulated nodes. */
    public static Map<String, String> variables(int rank, int ranks, int ranksPerNode, String job) {
        Map<String, String> variables = new HashMap<>(variables(rank, ranks, job));
        if (ranksPerNode < ranks) {
            variables.put("MSCCLJ_RANKS_PER_NODE", Integer.toString(ranksPerNode));
            variables.put("MSCCLJ_LOCAL_RANK", Integer.toString(rank % ranksPerNode));
            // Rank 0 takes the first free port, and writes it to the job's file.
            variables.put("MSCCLJ_MASTER_ADDR", "127.0.0.1");
            variables.put("MSCCLJ_MASTER_PORT", "20000-29999");
        }
        return variables;
    }

    private void read() {
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                transcript.add(line);
                lines.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the next line with a prefix; all lines before it are skipped. */
    public String await(String beginning, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (long left = limit.toNanos(); left > 0; left = deadline - System.nanoTime()) {
            String line = lines.poll(Math.min(left, 100_000_000), TimeUnit.NANOSECONDS);
            if (line != null && line.startsWith(beginning)) {
                return line;
            }
            if (line == null && !process.isAlive() && lines.isEmpty()) {
                break;
            }
        }
        throw new AssertionError("it did not say '" + beginning + "' within " + limit + "; " + this);
    }

    /** Returns the exit code after the process has ended and its output has been read. */
    public int awaitEnd(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS) || !reader.join(limit)) {
            throw new AssertionError("it did not end within " + limit + "; " + this);
        }
        return process.exitValue();
    }

    /** Ends it by SIGKILL, and does not wait. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Returns its output. */
    public List<String> transcript() {
        synchronized (transcript) {
            return List.copyOf(transcript);
        }
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return (process.isAlive() ? "it runs" : "it ended with code " + process.exitValue()) + " and said:\n"
                + String.join("\n", transcript());
    }
}
