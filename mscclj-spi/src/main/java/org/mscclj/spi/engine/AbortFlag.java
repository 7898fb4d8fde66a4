package org.mscclj.spi.engine;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

/**
 * A communicator's abort word: once set it stays set. Every wait of an engine watches it. It is set because somebody
 * aborts, a rank is lost, an operation is late, or something has failed. Waits of kernels for one peer watch that
 * peer's, a {@linkplain #follower follower} of the communicator's. Safe for use by several threads.
 */
public final class AbortFlag {
    private static final System.Logger LOGGER = System.getLogger(AbortFlag.class.getName());

    private final List<Runnable> actions = new ArrayList<>();
    private final List<Runnable> witnesses = new ArrayList<>();
    private volatile boolean set;
    private Optional<AbortCause> cause = Optional.empty();
    private Optional<String> reason = Optional.empty();
    private OptionalInt lostRank = OptionalInt.empty();
    private Optional<List<Integer>> missingRanks = Optional.empty();
    private Optional<BackendException> failure = Optional.empty();

    /** A flag that is not set. */
    public AbortFlag() {}

    /**
     * A flag for waits that may end sooner than the others, as those for one peer do: it is set once this flag is, for
     * the same reason, and may be set alone before. This flag keeps it.
     */
    public AbortFlag follower() {
        AbortFlag follower = new AbortFlag();
        whenSet(() -> follower.follow(this));
        return follower;
    }

    /** Sets this flag as another one is set. */
    private void follow(AbortFlag leader) {
        AbortCause kind;
        String why;
        synchronized (leader) { // nothing of it changes any more
            kind = leader.cause.orElseThrow();
            why = leader.reason.orElseThrow();
        }
        set(kind, why, leader.lostRank(), leader.missingRanks(), leader.failure());
    }

    private synchronized Optional<BackendException> failure() {
        return failure;
    }

    /** Sets the flag because somebody wants that; the first reason stays. */
    public void set(String why) {
        set(AbortCause.REQUESTED, why, OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    /** Sets the flag because a rank cannot go on, as when a transport has failed; the first reason stays. */
    public void fail(String why) {
        set(AbortCause.FAILED, why, OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Sets the flag because a device of this process has failed; the first reason stays. Operations throw
     * {@link BackendException} then.
     *
     * @param why which rank and device, and what the driver says
     * @param device what the driver says, with its code
     */
    public void fail(String why, BackendException device) {
        set(AbortCause.FAILED, why, OptionalInt.empty(), Optional.empty(), Optional.of(device));
    }

    /**
     * Sets the flag because a rank of the communicator has ended or cannot be reached; the first reason stays.
     *
     * @param rank which
     * @param how how that was noticed
     */
    public void lose(int rank, String how) {
        set(AbortCause.RANK_LOST, how, OptionalInt.of(rank), Optional.empty(), Optional.empty());
    }

    /**
     * Sets the flag because an operation was late; the first reason stays.
     *
     * @param why which operation, and what the ranks do
     * @param missing the ranks that did not arrive, ascending; empty if it is not known
     */
    public void expire(String why, List<Integer> missing) {
        set(AbortCause.LATE, why, OptionalInt.empty(), Optional.of(List.copyOf(missing)), Optional.empty());
    }

    private void set(
            AbortCause kind,
            String why,
            OptionalInt lost,
            Optional<List<Integer>> missing,
            Optional<BackendException> device) {
        List<Runnable> due;
        List<Throwable> failures = new ArrayList<>();
        synchronized (this) {
            if (!set) {
                cause = Optional.of(kind);
                reason = Optional.of(why);
                lostRank = lost;
                missingRanks = missing;
                failure = device;
                run(witnesses, failures);
                witnesses.clear();
                set = true;
            }
            due = List.copyOf(actions);
            actions.clear();
        }
        run(due, failures);
        failures.forEach(AbortFlag::log); // when all have run
    }

    /**
     * Runs all: one that fails, since a thread cannot be started for example, must not keep another from ending what a
     * device waits for.
     */
    private static void run(List<Runnable> actions, List<Throwable> failures) {
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        }
    }

    private static void log(Throwable failure) {
        LOGGER.log(Level.WARNING, "an action failed when a communicator was ended; the others have run", failure);
    }

    /**
     * Runs an action once before the flag is set, to see what is in flight while nothing has been ended yet, or why it
     * will be set before anybody else knows; never, if it is set. The action must not block, nor set or await this
     * flag. What it throws is logged.
     */
    public synchronized void beforeSet(Runnable witness) {
        if (!set) {
            witnesses.add(witness);
        }
    }

    /**
     * Runs an action once when the flag is set, or now if it is: to wake who sleeps, or to write the word that a device
     * watches. The action must not block. It may run in any thread, virtual ones included, so it must not call a
     * driver. What it throws is logged; all other actions run.
     */
    public void whenSet(Runnable action) {
        synchronized (this) {
            if (!set) {
                actions.add(action);
                return;
            }
        }
        List<Throwable> failures = new ArrayList<>();
        run(List.of(action), failures);
        failures.forEach(AbortFlag::log);
    }

    /**
     * Forgets an action, the same object, that {@link #whenSet} or {@link #beforeSet} was given; one of
     * {@link #whenSet} may be running.
     */
    @SuppressWarnings("ReferenceEquality") // the same object
    public synchronized void forget(Runnable action) {
        actions.removeIf(known -> known == action);
        witnesses.removeIf(known -> known == action);
    }

    /** Whether it is set. */
    public boolean isSet() {
        return set;
    }

    /** What set it; empty if it is not set. */
    public synchronized Optional<AbortCause> cause() {
        return cause;
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
     * The ranks that did not arrive, if it was set because an operation was late; empty if it is not set, or for
     * another reason.
     */
    public synchronized Optional<List<Integer>> missingRanks() {
        return missingRanks;
    }

    /**
     * What an operation throws that has ended because the flag is set: {@link RankLostException} if a rank is lost,
     * {@link OperationTimeoutException} if an operation was late, {@link BackendException} if a device of this process
     * has failed, otherwise {@link AbortedException}.
     *
     * @param operation what has ended, in words
     */
    public synchronized MsccljException exception(String operation) {
        String why = reason.orElse("no reason given");
        if (missingRanks.isPresent()) {
            return new OperationTimeoutException(operation + ": " + why, missingRanks.get());
        }
        if (failure.isPresent()) {
            BackendException device = failure.get();
            return new BackendException(
                    operation + ": the communicator was aborted: " + why, device.code(), device.symbol());
        }
        return lostRank.isPresent()
                ? new RankLostException(
                        lostRank.getAsInt(), operation + ": rank " + lostRank.getAsInt() + " is lost: " + why)
                : new AbortedException(operation + ": the communicator was aborted: " + why);
    }
}
