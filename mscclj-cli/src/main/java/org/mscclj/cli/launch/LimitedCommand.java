package org.mscclj.cli.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * This command again, with other arguments, in a JVM of its own that has only so much time. It does not outlive this
 * one.
 */
public final class LimitedCommand {
    /** Between the signal that asks a process to end and the one that ends it: it must end its ranks first. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final int NOT_ENDED = -1;

    private LimitedCommand() {}

    private static JobControl.Jobs jobs(ProcessTree tree) {
        return new JobControl.Jobs() {
            @Override
            public void suspend() {
                ProcessTree.signal("TSTP", tree.process().pid());
            }

            @Override
            public void resume() {
                ProcessTree.signal("CONT", tree.process().pid());
            }
        };
    }

    /**
     * How it ended.
     *
     * @param inTime whether it ended by itself
     * @param code the exit code, which means nothing if it did not
     */
    public record End(boolean inTime, ExitCode code) {}

    /**
     * Runs it and waits. If the time is over, its threads are printed, for whoever reads the log, and all it started is
     * ended.
     *
     * @param arguments of the command
     * @param defaults variables of its environment that are set unless this process has them
     * @param log takes all that it prints
     * @param limit what it may take
     * @throws InvalidArgumentException if it cannot be started, or the log not be written
     */
    public static End run(List<String> arguments, Map<String, String> defaults, Path log, Duration limit) {
        ProcessBuilder builder = SameCommand.builder(arguments)
                .redirectInput(NoInput.redirect())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        defaults.forEach(builder.environment()::putIfAbsent);
        try (OrphanGuard guard = ProcessTree.guard()) {
            ProcessTree tree = ProcessTree.start(builder);
            guard.add(tree.target());
            Thread atExit = new Thread(() -> ProcessTree.stop(List.of(tree), GRACE), "mscclj-limited-stop");
            Runtime.getRuntime().addShutdownHook(atExit);
            // That command has ranks of its own to stop, by its own handler of the same signal.
            try (JobControl _ = JobControl.of(jobs(tree))) {
                boolean inTime = tree.process().waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
                if (!inTime) {
                    tree.printThreads();
                }
                ProcessTree.stop(List.of(tree), GRACE);
                // A process that a driver holds does not even end by force, and nobody shall wait for it.
                boolean ended = tree.process().waitFor(GRACE.toNanos(), TimeUnit.NANOSECONDS);
                return new End(inTime, new ExitCode(ended ? tree.process().exitValue() : NOT_ENDED));
            } finally {
                RankProcesses.removeHook(atExit);
            }
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    log + ": this command cannot be started with its output there: " + FileProblem.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while " + String.join(" ", arguments) + " was running", e);
        }
    }
}
