package org.mscclj.cli.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell that ends ranks, and all processes that they have started, if the launcher is killed. A process that SIGKILL
 * ends runs no handler, but its pipes are closed, and the shell waits for that. The launcher closes the guard when it
 * has ended the ranks itself.
 *
 * <p>The launcher may be killed after the start of a rank and before it can say which process that is. The rank may
 * have started children by then. So the launcher says before each start which environment variable the rank will have,
 * and the guard ends all processes with that variable. Used by one thread at a time.
 */
final class OrphanGuard implements AutoCloseable {
    /** Reads lines {@code starting VARIABLE} and {@code started TARGET} until the launcher has ended. */
    static final String SCRIPT = """
            targets=
            starting=
            while read -r word value; do
                case $word in
                    starting) starting=$value ;;
                    started) starting=; targets="$targets $value" ;;
                esac
            done
            for target in $targets; do kill -s KILL -- "$target"; done
            [ -n "$starting" ] || exit 0
            for round in 1 2 3; do
                for file in /proc/[0-9]*/environ; do
                    if tr '\\0' '\\n' < "$file" | grep -qxF -- "$starting"; then
                        process=${file#/proc/}
                        kill -s KILL "${process%/environ}"
                    fi
                done
            done
            """;

    private final Process shell;
    private final Writer targets;

    private OrphanGuard(Process shell) {
        this.shell = shell;
        this.targets = shell.outputWriter();
    }

    /** Starts a guard, if possible in a session of its own, so that no signal of a terminal reaches it. */
    static OrphanGuard start(List<String> session) {
        List<String> command = new ArrayList<>(session);
        command.addAll(List.of("sh", "-c", SCRIPT));
        try {
            return new OrphanGuard(new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("the shell that guards ranks cannot be started", e);
        }
    }

    /**
     * Says that a process will be started.
     *
     * @param variable an environment variable with its value, which only ranks of this launcher and their children have
     * @throws IOException if the guard has ended
     */
    void starting(String variable) throws IOException {
        write("starting " + variable);
    }

    /**
     * Adds the process that was started.
     *
     * @param target the process id, or the negated id of its group, as {@code kill} takes it
     * @throws IOException if the guard has ended
     */
    void started(long target) throws IOException {
        write("started " + target);
    }

    private void write(String line) throws IOException {
        try {
            targets.write(line + "\n");
            targets.flush();
        } catch (IOException e) {
            throw new IOException(
                    "the shell that ends ranks when the launcher is killed was ended itself; start the command again",
                    e);
        }
    }

    /** Ends the guard without ending the guarded processes. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
