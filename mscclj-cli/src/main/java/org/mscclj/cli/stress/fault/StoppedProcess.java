package org.mscclj.cli.stress.fault;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A process that is stopped until this is closed, or this process ends, however it ends: a shell lets the other go on
 * when its own input is closed, which happens even if nothing runs here any more.
 */
public final class StoppedProcess implements AutoCloseable {
    private static final String STOPPED = "stopped";
    private static final String SCRIPT = "kill -s STOP \"$0\" && echo " + STOPPED + "; read -r _; kill -s CONT \"$0\"";

    private final Process shell;

    private StoppedProcess(Process shell) {
        this.shell = shell;
    }

    /** Stops a process by SIGSTOP; returns when that is done. */
    static StoppedProcess stop(long pid) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(pid))
                    .redirectErrorStream(true)
                    .start();
            String said = shell.inputReader().readLine();
            if (!STOPPED.equals(said)) {
                shell.destroyForcibly();
                throw new IllegalStateException("process " + pid + " cannot be stopped by the command kill: " + said);
            }
            return new StoppedProcess(shell);
        } catch (IOException e) {
            throw new UncheckedIOException("sh cannot be started, which stops process " + pid, e);
        }
    }

    /** Lets it go on, by SIGCONT; returns when that is done. */
    @Override
    public void close() {
        try {
            shell.outputWriter().close();
            int _ = shell.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("the shell that stopped a process has ended before it let it go on", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the shell goes on by itself
        }
    }
}
