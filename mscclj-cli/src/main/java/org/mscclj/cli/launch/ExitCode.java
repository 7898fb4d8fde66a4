package org.mscclj.cli.launch;

/**
 * The exit code of a process.
 *
 * @param value the exit code as Java reports it: 128 + n for a process that signal n has ended
 */
public record ExitCode(int value) {
    private static final int SIGNALS = 128;

    /** Whether a signal has ended the process, so that its output does not contain the reason. */
    public boolean isSignal() {
        return value > SIGNALS;
    }

    /** Returns a predicate that follows the name of the process. */
    public String text() {
        return isSignal() ? "was ended by signal " + (value - SIGNALS) : "ended with exit code " + value;
    }
}
