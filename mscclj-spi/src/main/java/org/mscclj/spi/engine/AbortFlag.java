package org.mscclj.spi.engine;

import java.util.Optional;

/**
 * A communicator's abort word: once set it stays set. Every wait of an engine watches it. Safe for use by several
 * threads.
 */
public final class AbortFlag {
    private volatile boolean set;
    private Optional<String> reason = Optional.empty();

    /** A flag that is not set. */
    public AbortFlag() {}

    /** Sets the flag; the first reason stays. */
    public synchronized void set(String why) {
        if (reason.isEmpty()) {
            reason = Optional.of(why);
        }
        set = true;
    }

    /** Whether it is set. */
    public boolean isSet() {
        return set;
    }

    /** Why it was set. */
    public synchronized Optional<String> reason() {
        return reason;
    }
}
