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
 * A process and everything it started. Where the system has {@code setsid}, a process group, so that also those are
 * found whose parent has ended; elsewhere the descendants that can be seen. Where it has {@code setpriv}, the kernel
 * ends the process itself when the launcher is killed; what it started is the {@link OrphanGuard}'s.
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
     * Starts a program. The calling thread must live as long as it: the kernel takes that thread's end for the
     * launcher's.
     */
    static ProcessTree start(ProcessBuilder builder) throws IOException {
        List<String> command = List.copyOf(builder.command());
        builder.command(Stream.of(BOUND, SESSION, command).flatMap(List::stream).toList());
        return new ProcessTree(builder.start());
    }

    /** A guard for trees. */
    static OrphanGuard guard() {
        return OrphanGuard.start(SESSION);
    }

    Process process() {
        return process;
    }

    /** What {@code kill} reaches it by. */
    long target() {
        return GROUPS ? -process.pid() : process.pid();
    }

    /** Asks all of it to end, and returns what to wait for. */
    Stream<ProcessHandle> terminate() {
        List<ProcessHandle> all = alive();
        if (GROUPS) {
            signalGroup("TERM");
        } else {
            all.forEach(ProcessHandle::destroy);
        }
        return all.stream();
    }

    /** Makes each Java in it print what its threads do, to its own output. */
    void printThreads() {
        alive().stream()
                .filter(handle -> handle.info()
                        .command()
                        .filter(program -> program.endsWith("/java"))
                        .isPresent())
                .forEach(handle -> signal("QUIT", handle.pid()));
    }

    /** Stops all of it. Not by the signal of terminals, which does nothing in a session without one. */
    void suspend() {
        signalAll("STOP");
    }

    /** Lets all of it go on. */
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

    /** Sends a signal, by its name; nothing happens if there is no such process any more. */
    static boolean signal(String name, long target) {
        return succeeds(List.of("kill", "-s", name, "--", Long.toString(target)));
    }

    /** Ends all of it. */
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
        // Fails if nobody of the group is left, which is all right.
        boolean sent = signal(signal, target());
        if (!sent && process.isAlive()) {
            process.destroy();
        }
    }

    /** A program, with options, that starts another; nothing if the system does not have it. */
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
            return false; // there is no such program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends trees: asks them, waits, and ends by force what is left. */
    static void stop(List<ProcessTree> trees, Duration grace) {
        CompletableFuture<?>[] ends = trees.stream()
                .flatMap(ProcessTree::terminate)
                .map(ProcessHandle::onExit)
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(ends).get(grace.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // By force, below.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new AbortedException("cannot wait for the end of ranks: " + e.getCause(), e);
        } finally {
            trees.forEach(ProcessTree::kill);
        }
    }
}
