package org.mscclj.cli.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell that ends ranks, and all that they started, when the launcher ends without having done so: nothing runs in a
 * process that is ended by SIGKILL, but its pipes are closed. Closed when the launcher has ended the ranks itself.
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

    /** Starts one, in a session of its own where that is possible, so that no signal from a terminal reaches it. */
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
     * Guards a process too.
     *
     * @param target its number, or that of its group, negated, as {@code kill} takes it
     * @throws IOException if the guard has ended
     */
    void add(long target) throws IOException {
        targets.write(target + "\n");
        targets.flush();
    }

    /** Ends it without ending what it guards. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
