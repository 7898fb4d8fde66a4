package org.mscclj.conformance.group;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
    /** The options of this process that a rank needs, too. */
    private static final List<String> INHERITED = List.of(
            "--add-modules",
            "--enable-native-access",
            "--illegal-native-access",
            "--add-reads",
            "--add-opens",
            "-Dmscclj.");

    private static final String ENDED = "failed the process ended with code ";

    /** 128 plus the number of SIGKILL, as shells and {@link Process#exitValue} report it. */
    private static final int KILLED = 128 + 9;

    private final int rank;
    private final Process process;
    private final BufferedWriter in;
    private final Thread reader;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private boolean ended;

    ProcessRank(int rank, Process process) {
        this.rank = rank;
        this.process = process;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        this.reader =
                Thread.ofPlatform().daemon().name("conformance-reader-" + rank).start(this::read);
    }

    static ProcessRank start(int rank, int world, GroupKind kind, InstalledGroups settings) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
        command.addAll(inherited());
        String modulePath = System.getProperty("jdk.module.path", "");
        String classPath = System.getProperty("java.class.path", "");
        if (!modulePath.isEmpty()) {
            command.addAll(List.of("--module-path", modulePath));
        }
        if (!classPath.isEmpty()) {
            command.addAll(List.of("--class-path", classPath));
        }
        Module module = RankProcess.class.getModule();
        if (module.isNamed()) {
            // Otherwise modules that are reached only through services would be missing.
            command.addAll(List.of("--add-modules", "ALL-MODULE-PATH"));
            command.addAll(List.of("--module", module.getName() + "/" + RankProcess.class.getName()));
        } else {
            if (!modulePath.isEmpty()) {
                command.addAll(List.of("--add-modules", "ALL-MODULE-PATH"));
            }
            command.add(RankProcess.class.getName());
        }
        command.addAll(List.of(
                Integer.toString(rank),
                Integer.toString(world),
                Long.toString(settings.timeout().toMillis()),
                settings.backend().orElse("-"),
                kind.name(),
                Boolean.toString(settings.busyCarriers())));
        try {
            return new ProcessRank(
                    rank,
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .directory(new File("").getAbsoluteFile())
                            .start());
        } catch (IOException e) {
            throw new BackendException(
                    "rank " + rank + " of the conformance suite cannot be started: " + e.getMessage(), e);
        }
    }

    /** An option is one word or two. */
    private static List<String> inherited() {
        List<String> chosen = new ArrayList<>();
        for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (INHERITED.stream().anyMatch(argument::startsWith)) {
                chosen.add(argument);
            }
        }
        return chosen;
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

    /** Returns whether the answer is that of a rank which SIGKILL has ended. Such a rank need not be closed. */
    boolean isKilled(Answer answer) {
        boolean killed = answer.problem().equals(ENDED + KILLED);
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
            if (process.exitValue() != 0) {
                reader.join(TimeLimits.GRACE); // reads its last lines
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
}
