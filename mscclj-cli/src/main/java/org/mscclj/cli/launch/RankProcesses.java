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
 * Ranks as processes of this machine. None outlives the launcher: they are stopped when one fails, when the launcher
 * itself is told to end, and when it is killed.
 */
final class RankProcesses {
    /** Between the signal that asks a process to end and the one that ends it. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration OUTPUT_GRACE = Duration.ofSeconds(2);
    private static final Duration FOR_EVER = Duration.ofDays(365);

    /** Up to this exit code, that of bad usage, a rank of this command has said why it failed. */
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

    /** Whether this process ends although ranks run: a signal ends it. */
    private volatile boolean interrupted;

    /** Trees are only added, and signals arrive in threads of their own. */
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
     * Starts all ranks and waits for all of them.
     *
     * @return the exit code of the first that failed, or 0
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
        secret.close(); // the VM may end before the thread that waits for the ranks does so
    }

    static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The VM is already ending, and the hook runs.
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
            // The standard input is rank 0's, as with other launchers.
            builder.redirectInput(
                    rank == 0 && settings.program() == Program.ANY ? Redirect.INHERIT : NoInput.redirect());
            Process process = start(builder);
            String prefix = settings.prefixed() ? "[" + rank + "] " : "";
            int own = rank;
            boolean tells = settings.program() == Program.THIS_COMMAND;
            pumps.add(OutputPump.start(process.getInputStream(), line -> print(out, prefix + line)));
            pumps.add(OutputPump.start(process.getErrorStream(), line -> {
                if (!tells || !failures.keep(own, line)) {
                    print(err, prefix + line);
                }
            }));
            ends.add(process.onExit().thenAccept(dead -> ended.add(new Ended(own, dead.exitValue()))));
        }
    }

    private synchronized Process start(ProcessBuilder builder) {
        if (stopped) {
            throw new AbortedException("told to end while ranks were starting");
        }
        try {
            ProcessTree tree = ProcessTree.start(builder);
            trees.add(tree);
            guard.add(tree.target());
            return tree.process();
        } catch (IOException e) {
            throw new InvalidArgumentException("a rank cannot be started: " + e.getMessage(), e);
        }
    }

    /** Found here, since what starts it may be another program, whose words about a missing one are its own. */
    private static void requireProgram(String name) {
        if (!SearchPath.finds(name)) {
            throw new InvalidArgumentException("command is " + name
                    + ", and there is no such program; name one that is on PATH, or the path of an executable file");
        }
    }

    private int await(PrintWriter err) throws InterruptedException {
        Judgement judgement = new Judgement(settings.onFailure(), settings.ranks());
        Duration patience = FOR_EVER;
        boolean impatient = false;
        for (int left = settings.ranks(); left > 0; ) {
            @Nullable Ended end = ended.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (end == null) {
                impatient = true;
                stop();
                patience = FOR_EVER;
                continue;
            }
            left--;
            if (end.code() != 0 && settings.program() == Program.THIS_COMMAND && (impatient || !stopped)) {
                ending(end, impatient).ifPresent(failures::add);
            }
            if (judgement.add(new ExitCode(end.code()))) {
                if (settings.program() == Program.ANY && !interrupted) {
                    tell(err, end, left);
                }
                patience = settings.onFailure() == OnFailure.STOP ? settings.patience() : FOR_EVER;
            }
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
        for (OutputPump pump : pumps) {
            pump.await(OUTPUT_GRACE);
        }
        failures.line().ifPresent(line -> print(err, line));
        return judgement.code();
    }

    /** How a rank of this command ended, if it could not say why it failed. */
    private Optional<String> ending(Ended end, boolean stoppedLate) {
        if (stoppedLate) {
            return Optional.of("rank " + end.rank() + " did not end within " + DurationText.of(settings.patience())
                    + " after the first failure, and was stopped");
        }
        return end.code() <= SAYS_WHY ? Optional.empty() : Optional.of(end.text());
    }

    private void tell(PrintWriter err, Ended end, int left) {
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

    /** Ends whatever is left of all ranks. */
    private synchronized void stop() {
        stopped = true;
        ProcessTree.stop(trees, GRACE);
    }
}
