package org.mscclj.cli.launch;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.mscclj.api.error.AbortedException;

/**
 * A process and all processes that it has started. With {@code setsid} this is a process group, which includes
 * processes whose parent has ended; without, it is the visible descendants. With {@code setpriv} the kernel ends the
 * process when the launcher is killed; the {@link OrphanGuard} ends its descendants.
 */
final class ProcessTree {
    private static final List<String> SESSION = ifItRuns("setsid");
    private static final List<String> BOUND = ifItRuns("setpriv", "--pdeathsig", "KILL");
    private static final boolean GROUPS = !SESSION.isEmpty();

    private final Process process;

    private ProcessTree(Process process) {
        this.process = process;
    }

    /**
     * Starts a program. The calling thread must outlive it: the kernel treats the end of that thread as the end of the
     * launcher.
     */
    static ProcessTree start(ProcessBuilder builder) throws IOException {
        List<String> command = List.copyOf(builder.command());
        builder.command(Stream.of(BOUND, SESSION, command).flatMap(List::stream).toList());
        return new ProcessTree(builder.start());
    }

    /** Starts a guard for trees. */
    static OrphanGuard guard() {
        return OrphanGuard.start(SESSION);
    }

    Process process() {
        return process;
    }

    /** Returns the target for {@code kill}. */
    long target() {
        return GROUPS ? -process.pid() : process.pid();
    }

    /** Sends SIGTERM to the tree, and returns the processes to wait for. */
    Stream<ProcessHandle> terminate() {
        List<ProcessHandle> all = alive();
        if (GROUPS) {
            signalGroup("TERM");
        } else {
            all.forEach(ProcessHandle::destroy);
        }
        return all.stream();
    }

    /** Makes each JVM in the tree print a thread dump to its own output. */
    void printThreads() {
        alive().stream()
                .filter(handle -> handle.info()
                        .command()
                        .filter(program -> program.endsWith("/java"))
                        .isPresent())
                .forEach(handle -> signal("QUIT", handle.pid()));
    }

    /** Stops the tree by SIGSTOP: the signal of a terminal has no effect in a session without one. */
    void suspend() {
        signalAll("STOP");
    }

    /** Continues the tree. */
    void resume() {
        signalAll("CONT");
    }

    private void signalAll(String signal) {
        if (GROUPS) {
            signal(signal, target());
        } else {
            alive().forEach(handle -> signal(signal, handle.pid()));
        }
    }

    /** Sends a signal by its name; returns whether the process still existed. */
    static boolean signal(String name, long target) {
        return succeeds(List.of("kill", "-s", name, "--", Long.toString(target)));
    }

    /** Ends the tree by SIGKILL. */
    void kill() {
        if (GROUPS) {
            signalGroup("KILL");
        }
        alive().forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> alive() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .filter(ProcessHandle::isAlive)
                .toList();
    }

    private void signalGroup(String signal) {
        // Fails if the group has no process any more, which is no error.
        boolean sent = signal(signal, target());
        if (!sent && process.isAlive()) {
            process.destroy();
        }
    }

    /** Returns a prefix command that starts another program; empty if the system does not have it. */
    private static List<String> ifItRuns(String... program) {
        return succeeds(Stream.concat(Stream.of(program), Stream.of("true")).toList()) ? List.of(program) : List.of();
    }

    private static boolean succeeds(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(NoInput.redirect())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false; // the system has no such program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends trees: by SIGTERM, and after a while by SIGKILL. */
    static void stop(List<ProcessTree> trees, Duration grace) {
        CompletableFuture<?>[] ends = trees.stream()
                .flatMap(ProcessTree::terminate)
                .map(ProcessHandle::onExit)
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(ends).get(grace.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // SIGKILL follows below.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new AbortedException("cannot wait for the end of ranks: " + e.getCause(), e);
        } finally {
            trees.forEach(ProcessTree::kill);
        }
    }
}
