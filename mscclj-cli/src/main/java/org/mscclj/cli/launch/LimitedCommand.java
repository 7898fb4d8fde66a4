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

/** Runs this command with other arguments in a child JVM with a time limit. The child does not outlive this process. */
public final class LimitedCommand {
    /** Time between SIGTERM and SIGKILL, in which the child ends its ranks. */
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
     * The end of the child.
     *
     * @param inTime whether it ended within the limit
     * @param code the exit code; undefined if it did not
     */
    public record End(boolean inTime, ExitCode code) {}

    /**
     * Runs the command and waits. At the time limit the child prints its threads to the log, and it and all processes
     * that it has started are ended.
     *
     * @param arguments the arguments of the command
     * @param defaults environment variables of the child, unless this process has them
     * @param log receives all output
     * @param limit the time limit
     * @throws InvalidArgumentException if the child cannot be started or the log cannot be written
     */
    public static End run(List<String> arguments, Map<String, String> defaults, Path log, Duration limit) {
        ProcessBuilder builder = SameCommand.builder(arguments)
                .redirectInput(NoInput.redirect())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        defaults.forEach(builder.environment()::putIfAbsent);
        try (OrphanGuard guard = ProcessTree.guard()) {
            ProcessTree tree = ProcessTree.start(builder);
            guard.started(tree.target());
            Thread atExit = new Thread(() -> ProcessTree.stop(List.of(tree), GRACE), "mscclj-limited-stop");
            Runtime.getRuntime().addShutdownHook(atExit);
            // The child stops its own ranks in its handler of the same signal.
            try (JobControl _ = JobControl.of(jobs(tree))) {
                boolean inTime = tree.process().waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
                if (!inTime) {
                    tree.printThreads();
                }
                ProcessTree.stop(List.of(tree), GRACE);
                // A process that hangs in a driver does not even end by SIGKILL; do not wait for it.
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
