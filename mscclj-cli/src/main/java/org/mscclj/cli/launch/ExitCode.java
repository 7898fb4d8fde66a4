package org.mscclj.cli.launch;

/**
 * How a process ended.
 *
 * @param value its exit code, as Java gives it: that of a process that was ended by signal n is 128 + n
 */
public record ExitCode(int value) {
    private static final int SIGNALS = 128;

    /** Whether a signal ended it, so that what it printed says nothing about why. */
    public boolean isSignal() {
        return value > SIGNALS;
    }

    /** What is said of it, behind its name. */
    public String text() {
        return isSignal() ? "was ended by signal " + (value - SIGNALS) : "ended with exit code " + value;
    }
}
