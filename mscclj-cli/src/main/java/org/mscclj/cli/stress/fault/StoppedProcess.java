package org.mscclj.cli.stress.fault;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A process that is stopped until this is closed or this process ends, even by SIGKILL: a shell continues it when the
 * shell's input is closed.
 */
public final class StoppedProcess implements AutoCloseable {
    private static final String STOPPED = "stopped";
    private static final String SCRIPT = "kill -s STOP \"$0\" && echo " + STOPPED + "; read -r _; kill -s CONT \"$0\"";

    private final Process shell;

    private StoppedProcess(Process shell) {
        this.shell = shell;
    }

    /** Stops a process by SIGSTOP; returns when it is stopped. */
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
            throw new UncheckedIOException("sh cannot be started, to stop process " + pid, e);
        }
    }

    /** Continues the process by SIGCONT; returns when it runs. */
    @Override
    public void close() {
        try {
            shell.outputWriter().close();
            int _ = shell.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("the shell that stopped a process has ended before it continued it", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the shell continues by itself
        }
    }
}
