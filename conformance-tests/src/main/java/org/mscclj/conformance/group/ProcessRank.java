package org.mscclj.conformance.group;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.task.TimeLimits;
import org.mscclj.conformance.worker.RankProcess;

/** A child process that is a rank, as the process that started it sees it. */
final class ProcessRank {
    private static final String FAILED = "failed ";
    private static final String ENDED = FAILED + "the process ended with code ";

    /** 128 plus the number of SIGKILL, as shells and {@link Process#exitValue} report it. */
    private static final int KILLED = 128 + 9;

    private final int rank;
    private final Process process;
    private final RankCommand command;
    private final BufferedWriter in;
    private final Thread reader;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private boolean ended;

    ProcessRank(int rank, Process process, RankCommand command) {
        this.rank = rank;
        this.process = process;
        this.command = command;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        this.reader =
                Thread.ofPlatform().daemon().name("conformance-reader-" + rank).start(this::read);
    }

    /**
     * Starts a rank.
     *
     * @param ranksPerNode the number of ranks on each node; all, if the ranks find their nodes
     */
    static ProcessRank start(int rank, int world, int ranksPerNode, GroupKind kind, InstalledGroups settings) {
        List<String> words = new ArrayList<>(settings.command().of(rank, rank / ranksPerNode));
        words.addAll(RankJava.command());
        words.addAll(List.of(
                Integer.toString(rank),
                Integer.toString(world),
                Integer.toString(ranksPerNode),
                Long.toString(settings.timeout().toMillis()),
                settings.backend().orElse("-"),
                kind.name(),
                Boolean.toString(settings.busyCarriers())));
        try {
            return new ProcessRank(
                    rank,
                    new ProcessBuilder(words)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .directory(new File("").getAbsoluteFile())
                            .start(),
                    settings.command());
        } catch (IOException e) {
            throw new BackendException(
                    "rank " + rank + " of the conformance suite cannot be started: " + e.getMessage(), e);
        }
    }

    private void read() {
        String other = ""; // a VM that cannot start reports the reason there
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(RankProcess.MARK)) {
                    lines.add(line.substring(RankProcess.MARK.length()));
                } else if (!line.isBlank()) {
                    other = line.strip();
                }
            }
            int code = process.waitFor();
            lines.add(ENDED + code + (code == KILLED || other.isEmpty() ? "" : "; it said: " + other));
        } catch (IOException e) {
            lines.add("failed its output cannot be read: " + e.getMessage());
        } catch (InterruptedException e) {
            lines.add("failed interrupted");
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a line. If the rank has ended, its missing answer shows that. */
    void tell(String line) {
        try {
            in.write(line);
            in.newLine();
            in.flush();
        } catch (IOException e) {
            lines.add("failed it cannot be written to: " + e.getMessage());
        }
    }

    /** Returns the rest of the next line that begins with a word, or the reason why there is none. */
    Answer answer(String word, Duration limit) {
        try {
            String line = lines.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (line == null) {
                return new Answer(Optional.empty(), "did not answer within " + DurationText.of(limit));
            }
            return line.startsWith(word)
                    ? new Answer(Optional.of(line.substring(word.length()).strip()), "")
                    : new Answer(Optional.empty(), line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while rank " + rank + " was running", e);
        }
    }

    /**
     * Returns whether the answer is that of a rank which SIGKILL has ended. Such a rank need not be closed. Where a
     * command starts the rank, each end without an answer counts, as its exit code need not be that of the rank.
     */
    boolean isKilled(Answer answer) {
        boolean killed = command.isGiven()
                ? answer.problem().startsWith(ENDED)
                : answer.problem().equals(ENDED + KILLED);
        ended |= killed;
        return killed;
    }

    /**
     * The answer of a rank.
     *
     * @param text the answer; empty if there is none
     * @param problem why there is none
     */
    record Answer(Optional<String> text, String problem) {}

    /**
     * Waits for the rank to end by itself. Idempotent.
     *
     * @throws MsccljException if it does not end within the timeout, or has failed
     */
    void end(Duration timeout) {
        if (ended) {
            return;
        }
        ended = true;
        try {
            if (!process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly();
                throw new OperationTimeoutException(
                        "rank " + rank + " did not end within " + DurationText.of(timeout) + ", and was ended by force",
                        List.of(rank));
            }
            reader.join(TimeLimits.GRACE); // reads its last lines
            if (process.exitValue() != 0 || lines.stream().anyMatch(ProcessRank::isFailure)) {
                throw new BackendException(
                        "rank " + rank + " failed when it closed: " + String.join("; ", lines),
                        process.exitValue(),
                        "exit code");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** The exit code of a command need not be that of the rank that it starts. */
    private static boolean isFailure(String line) {
        return line.startsWith(FAILED) && !line.startsWith(ENDED);
    }
}
