package org.mscclj.spi.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.RankLostException;

/**
 * A communicator's abort word: once set it stays set. Every wait of an engine watches it. It is set because somebody aborts, or because a
 * rank is lost. Safe for use by several threads.
 */
public final class AbortFlag {
    private final List<Runnable> actions = new ArrayList<>();
    private volatile boolean set;
    private Optional<String> reason = Optional.empty();
    private OptionalInt lostRank = OptionalInt.empty();

    /** A flag that is not set. */
    public AbortFlag() {}

    /** Sets the flag; the first reason stays. */
    public void set(String why) {
        set(why, OptionalInt.empty());
    }

    /**
     * Sets the flag because a rank of the communicator has ended or cannot be reached; the first reason stays.
     *
     * @param rank which
     * @param how how that was noticed
     */
    public void lose(int rank, String how) {
        set(how, OptionalInt.of(rank));
    }

    private void set(String why, OptionalInt lost) {
        List<Runnable> due;
        synchronized (this) {
            if (!set) {
                reason = Optional.of(why);
                lostRank = lost;
                set = true;
            }
            due = List.copyOf(actions);
            actions.clear();
        }
        due.forEach(Runnable::run);
    }

    /**
     * Runs an action once when the flag is set, or now if it is: to wake who sleeps, or to write the word that a device watches. The
     * action must not block or throw. It may run in any thread, virtual ones included, so it must not call a driver.
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

    /** Forgets an action, the same object, that {@link #whenSet} was given; it may be running. */
    @SuppressWarnings("ReferenceEquality") // the same object
    public synchronized void forget(Runnable action) {
        actions.removeIf(known -> known == action);
    }

    /** Whether it is set. */
    public boolean isSet() {
        return set;
    }

    /** Why it was set. */
    public synchronized Optional<String> reason() {
        return reason;
    }

    /** The rank whose loss set it; empty if it is not set, or for another reason. */
    public synchronized OptionalInt lostRank() {
        return lostRank;
    }

    /**
     * What an operation throws that has ended because the flag is set: {@link RankLostException} if a rank is lost, otherwise {@link
     * AbortedException}.
     *
     * @param operation what has ended, in words
     */
    public synchronized MsccljException exception(String operation) {
        String why = reason.orElse("no reason given");
        return lostRank.isPresent()
                ? new RankLostException(
                        lostRank.getAsInt(), operation + ": rank " + lostRank.getAsInt() + " is lost: " + why)
                : new AbortedException(operation + ": the communicator was aborted: " + why);
    }
}
