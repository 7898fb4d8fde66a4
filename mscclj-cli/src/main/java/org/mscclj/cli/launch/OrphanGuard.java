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
 */
final class OrphanGuard implements AutoCloseable {
    private static final String SCRIPT = """
            targets=
            while read -r target; do targets="$targets $target"; done
            for target in $targets; do kill -s KILL -- "$target"; done
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
     * Adds a process.
     *
     * @param target the process id, or the negated id of its group, as {@code kill} takes it
     * @throws IOException if the guard has ended
     */
    void add(long target) throws IOException {
        targets.write(target + "\n");
        targets.flush();
    }

    /** Ends the guard without ending the guarded processes. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
