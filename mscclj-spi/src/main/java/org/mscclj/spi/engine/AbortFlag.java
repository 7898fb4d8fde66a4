package org.mscclj.spi.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A communicator's abort word: once set it stays set. Every wait of an engine watches it. Safe for use by several
 * threads.
 */
public final class AbortFlag {
    private final List<Runnable> actions = new ArrayList<>();
    private volatile boolean set;
    private Optional<String> reason = Optional.empty();

    /** A flag that is not set. */
    public AbortFlag() {}

    /** Sets the flag; the first reason stays. */
    public void set(String why) {
        List<Runnable> due;
        synchronized (this) {
            if (reason.isEmpty()) {
                reason = Optional.of(why);
            }
            set = true;
            due = List.copyOf(actions);
            actions.clear();
        }
        due.forEach(Runnable::run);
    }

    /**
     * Runs an action once when the flag is set, or now if it is: to wake who sleeps, or to write the word that a device watches. The
     * action must not block or throw.
     */
    public void whenSet(Runnable action) {
        synchronized (this) {
            if (!set) {
                actions.add(action);
                return;
            }
        }
        action.run();
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
