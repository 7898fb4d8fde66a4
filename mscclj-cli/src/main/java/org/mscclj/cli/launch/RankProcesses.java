package org.mscclj.cli.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.launch.LaunchSettings.OnFailure;
import org.mscclj.cli.launch.LaunchSettings.Program;

/**
 * Runs ranks as processes of this machine. No rank outlives the launcher: the ranks are stopped when one fails, when
 * the launcher receives a signal to end, and when it is killed.
 */
final class RankProcesses {
    /** Time between SIGTERM and SIGKILL. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration OUTPUT_GRACE = Duration.ofSeconds(2);
    private static final Duration FOR_EVER = Duration.ofDays(365);

    /** The largest exit code, that of bad usage, with which a rank of this command has printed why it failed. */
    private static final int SAYS_WHY = 2;

    private final LaunchSettings settings;
    private final OrphanGuard guard;
    private final GroupSecret secret;
    private final List<ProcessTree> trees = new CopyOnWriteArrayList<>();
    private final List<OutputPump> pumps = new ArrayList<>();
    private final List<CompletableFuture<Void>> ends = new ArrayList<>();
    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    private final RankFailures failures;
    private volatile boolean stopped;

    /** Whether a signal ends this process while ranks run. */
    private volatile boolean interrupted;

    /** Trees are only added; signal handlers run on threads of their own. */
    private final JobControl.Jobs jobs = new JobControl.Jobs() {
        @Override
        public void suspend() {
            trees.forEach(ProcessTree::suspend);
        }

        @Override
        public void resume() {
            trees.forEach(ProcessTree::resume);
        }
    };

    private record Ended(int rank, int code) {
        String text() {
            return "rank " + rank + " " + new ExitCode(code).text();
        }
    }

    private RankProcesses(LaunchSettings settings, OrphanGuard guard, GroupSecret secret) {
        this.secret = secret;
        this.settings = settings;
        this.guard = guard;
        this.failures = new RankFailures(settings.ranks());
    }

    /**
     * Starts all ranks and waits for them.
     *
     * @return the exit code of the first rank that failed, or 0
     * @throws InvalidArgumentException if the command cannot be started
     */
    static int run(LaunchSettings settings, PrintWriter out, PrintWriter err) {
        requireProgram(settings.command().getFirst());
        try (OrphanGuard guard = ProcessTree.guard();
                GroupSecret secret = GroupSecret.create()) {
            return new RankProcesses(settings, guard, secret).run(out, err);
        }
    }

    private int run(PrintWriter out, PrintWriter err) {
        GroupSecret.unused(System.getenv()).ifPresent(note -> print(err, note));
        Thread atExit = new Thread(() -> interrupted(err), "mscclj-launch-stop");
        Runtime.getRuntime().addShutdownHook(atExit);
        try (JobControl _ = JobControl.of(jobs)) {
            start(out, err);
            return await(err);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while ranks were running", e);
        } finally {
            stop();
            removeHook(atExit);
        }
    }

    private void interrupted(PrintWriter err) {
        interrupted = true;
        print(err, "mscclj: interrupted; stopping all ranks that still run");
        stop();
        secret.close(); // the VM may end before the waiting thread
    }

    static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The VM is shutting down, and the hook runs already.
        }
    }

    private void start(PrintWriter out, PrintWriter err) {
        RankEnvironment environment = RankEnvironment.create(settings.ranks(), settings.ranksPerNode(), secret);
        for (int rank = 0; rank < settings.ranks(); rank++) {
            ProcessBuilder builder = new ProcessBuilder(settings.command());
            if (settings.program() == Program.THIS_COMMAND) {
                SameCommand.removeOptions(builder.environment());
            }
            builder.environment().putAll(environment.of(rank));
            // Rank 0 reads the standard input, as with other launchers.
            builder.redirectInput(
                    rank == 0 && settings.program() == Program.ANY ? Redirect.INHERIT : NoInput.redirect());
            Process process = start(builder, environment.jobVariable());
            String prefix = settings.prefixed() ? "[" + rank + "] " : "";
            int own = rank;
            boolean printsReason = settings.program() == Program.THIS_COMMAND;
            pumps.add(OutputPump.start(process.getInputStream(), line -> print(out, prefix + line)));
            pumps.add(OutputPump.start(process.getErrorStream(), line -> {
                if (!printsReason || !failures.keep(own, line)) {
                    print(err, prefix + line);
                }
            }));
            ends.add(process.onExit().thenAccept(dead -> ended.add(new Ended(own, dead.exitValue()))));
        }
    }

    private synchronized Process start(ProcessBuilder builder, String ownVariable) {
        if (stopped) {
            throw new AbortedException("a signal ended the launcher while ranks were starting");
        }
        try {
            guard.starting(ownVariable);
            ProcessTree tree = ProcessTree.start(builder);
            trees.add(tree);
            guard.started(tree.target());
            return tree.process();
        } catch (IOException e) {
            throw new InvalidArgumentException("a rank cannot be started: " + e.getMessage(), e);
        }
    }

    /** Checked here, since a prefix command that starts the program has its own message for a missing one. */
    private static void requireProgram(String name) {
        if (!SearchPath.finds(name)) {
            throw new InvalidArgumentException("command is " + name
                    + ", and there is no such program; name one that is on PATH, or the path of an executable file");
        }
    }

    private int await(PrintWriter err) throws InterruptedException {
        GroupExitCode judgement = new GroupExitCode(settings.onFailure(), settings.ranks());
        Duration remaining = FOR_EVER;
        boolean impatient = false;
        for (int left = settings.ranks(); left > 0; ) {
            @Nullable Ended end = ended.poll(remaining.toNanos(), TimeUnit.NANOSECONDS);
            if (end == null) {
                impatient = true;
                stop();
                remaining = FOR_EVER;
                continue;
            }
            left--;
            if (end.code() != 0 && settings.program() == Program.THIS_COMMAND && (impatient || !stopped)) {
                ending(end, impatient).ifPresent(failures::add);
            }
            if (judgement.add(new ExitCode(end.code()))) {
                if (settings.program() == Program.ANY && !interrupted) {
                    reportFailure(err, end, left);
                }
                remaining = settings.onFailure() == OnFailure.STOP ? settings.gracePeriod() : FOR_EVER;
            }
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
        for (OutputPump pump : pumps) {
            pump.await(OUTPUT_GRACE);
        }
        failures.line().ifPresent(line -> print(err, line));
        return judgement.code();
    }

    /** Returns how a rank of this command ended, if it has not printed a reason. */
    private Optional<String> ending(Ended end, boolean stoppedLate) {
        if (stoppedLate) {
            return Optional.of("rank " + end.rank() + " did not end within " + DurationText.of(settings.gracePeriod())
                    + " after the first failure, and was stopped");
        }
        return end.code() <= SAYS_WHY ? Optional.empty() : Optional.of(end.text());
    }

    private void reportFailure(PrintWriter err, Ended end, int left) {
        String others = left == 0 || settings.onFailure() == OnFailure.KEEP_GOING
                ? ""
                : "; stopping the " + left + (left == 1 ? " that still runs" : " that still run");
        print(err, "mscclj: " + end.text() + others);
    }

    private static void print(PrintWriter to, String line) {
        synchronized (to) {
            to.println(line);
            to.flush();
        }
    }

    /** Ends all processes of all ranks. */
    private synchronized void stop() {
        stopped = true;
        ProcessTree.stop(trees, GRACE);
    }
}
