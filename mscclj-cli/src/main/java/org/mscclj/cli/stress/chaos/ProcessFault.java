package org.mscclj.cli.stress.chaos;

import org.mscclj.cli.stress.fault.ChildRank;

/** A fault of a rank's process. */
enum ProcessFault {
    /** SIGKILL: it ends at once. */
    KILL("SIGKILL"),
    /** SIGTERM: it ends with the shutdown of its VM. */
    TERMINATE("SIGTERM"),
    /** SIGSTOP: it stops, and its connections stay open. */
    STOP("SIGSTOP");

    private final String signal;

    ProcessFault(String signal) {
        this.signal = signal;
    }

    /** Returns the name of the signal. */
    String signal() {
        return signal;
    }

    /** Harms the process; the result undoes the fault, if that is possible. */
    AutoCloseable to(ChildRank process) {
        return switch (this) {
            case KILL -> {
                process.kill();
                yield () -> {};
            }
            case TERMINATE -> {
                process.terminate();
                yield () -> {};
            }
            case STOP -> process.stop();
        };
    }
}
