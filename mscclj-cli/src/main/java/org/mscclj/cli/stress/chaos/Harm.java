package org.mscclj.cli.stress.chaos;

import org.mscclj.cli.stress.fault.RankProcess;

/** What is done to a rank's process. */
enum Harm {
    /** It ends without a word. */
    KILL("SIGKILL"),
    /** It ends as its VM does. */
    TERMINATE("SIGTERM"),
    /** It does nothing any more, and its connections stay. */
    STOP("SIGSTOP");

    private final String signal;

    Harm(String signal) {
        this.signal = signal;
    }

    /** The name of the signal. */
    String signal() {
        return signal;
    }

    /** Does it; what this gives undoes it, where that can be. */
    AutoCloseable to(RankProcess process) {
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
