package org.mscclj.conformance.rank;

import java.io.IOException;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.NativeAccess;
import org.mscclj.posix.Signals;

/** This process. The system command {@code kill} sends signals to it, and the process cuts its own connections. */
public final class SignalledProcess implements OwnProcess {
    private final String id = Long.toString(ProcessHandle.current().pid());

    /** Stands for this process. */
    public SignalledProcess() {}

    @Override
    public boolean canBeSignalled() {
        try {
            return run("kill -0 " + id) == 0;
        } catch (UnsupportedException e) {
            return false; // there is no shell
        }
    }

    /**
     * Starts no process where that is possible: on a busy machine its start may take longer than the other ranks wait.
     */
    @Override
    public void kill() {
        if (NativeAccess.refusal().isEmpty()) {
            Signals.killThisProcess();
        }
        run("kill -KILL " + id);
        throw new UnsupportedException("this process goes on although it was killed");
    }

    @Override
    public void stop(int seconds) {
        run("kill -STOP " + id + "; sleep " + seconds + "; kill -CONT " + id);
    }

    @Override
    public boolean canBeCutOff() {
        return OwnConnections.canBeCut();
    }

    @Override
    public void cutOff() {
        OwnConnections.cut();
    }

    private static int run(String commands) {
        try {
            return new ProcessBuilder("sh", "-c", commands)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UnsupportedException("sh cannot be started: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while this process sent itself a signal", e);
        }
    }
}
