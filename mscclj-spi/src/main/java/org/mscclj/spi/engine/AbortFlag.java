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
 * A communicator's abort word; once set it stays set. Every wait of an engine watches it. It is set when a caller
 * aborts, a rank is lost, an operation exceeds its timeout, or a device or transport fails. Waits of kernels for one
 * peer watch the flag of that peer, a {@linkplain #follower follower} of the communicator's flag. Safe for use by
 * several threads.
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
     * Returns a flag for waits that may end earlier than others, such as waits for one peer. It is set when this flag
     * is set, with the reason of this flag, and may be set alone before. This flag keeps a reference to it.
     */
    public AbortFlag follower() {
        AbortFlag follower = new AbortFlag();
        whenSet(() -> follower.follow(this));
        return follower;
    }

    /** Sets this flag with the cause of another flag. */
    private void follow(AbortFlag leader) {
        AbortCause kind;
        String why;
        synchronized (leader) { // the leader is set and does not change
            kind = leader.cause.orElseThrow();
            why = leader.reason.orElseThrow();
        }
        set(kind, why, leader.lostRank(), leader.missingRanks(), leader.failure());
    }

    private synchronized Optional<BackendException> failure() {
        return failure;
    }

    /** Sets the flag because a caller aborts; the first reason is kept. */
    public void set(String why) {
        set(AbortCause.REQUESTED, why, OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Sets the flag because a rank cannot continue, for example after a failure of a transport; the first reason is
     * kept.
     */
    public void fail(String why) {
        set(AbortCause.FAILED, why, OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Sets the flag because a device of this process has failed; the first reason is kept. Operations then throw
     * {@link BackendException}.
     *
     * @param why the rank and the device, and the error of the driver
     * @param device the error of the driver, with its code
     */
    public void fail(String why, BackendException device) {
        set(AbortCause.FAILED, why, OptionalInt.empty(), Optional.empty(), Optional.of(device));
    }

    /**
     * Sets the flag because a rank of the communicator has ended or cannot be reached; the first reason is kept.
     *
     * @param rank the lost rank
     * @param how how the loss was detected
     */
    public void lose(int rank, String how) {
        set(AbortCause.RANK_LOST, how, OptionalInt.of(rank), Optional.empty(), Optional.empty());
    }

    /**
     * Sets the flag because an operation exceeded its timeout; the first reason is kept.
     *
     * @param why the operation, and the state of the ranks
     * @param missing the ranks that did not arrive, ascending; empty if they are not known
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
        failures.forEach(AbortFlag::log); // after all have run
    }

    /**
     * Runs all actions. An action that fails, for example because a thread cannot be started, must not prevent another
     * action from ending a wait of a device.
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
     * Runs an action once before the flag is set: to record the operations in flight before any of them ends, or to
     * receive the reason before any other thread sees it. If the flag is set already, the action never runs. The action
     * must not block, nor set or await this flag. Exceptions of the action are logged.
     */
    public synchronized void beforeSet(Runnable witness) {
        if (!set) {
            witnesses.add(witness);
        }
    }

    /**
     * Runs an action once when the flag is set, or now if it is set already: to wake sleeping threads, or to write the
     * word that a device watches. The action must not block. It may run in any thread, virtual ones included, so it
     * must not call a driver. Exceptions of the action are logged; all other actions run.
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
     * Removes an action, by identity, that was passed to {@link #whenSet} or {@link #beforeSet}; an action of
     * {@link #whenSet} may be running.
     */
    @SuppressWarnings("ReferenceEquality") // compares identities
    public synchronized void forget(Runnable action) {
        actions.removeIf(known -> known == action);
        witnesses.removeIf(known -> known == action);
    }

    /** Whether it is set. */
    public boolean isSet() {
        return set;
    }

    /** The cause of the abort; empty if the flag is not set. */
    public synchronized Optional<AbortCause> cause() {
        return cause;
    }

    /** The reason; empty if the flag is not set. */
    public synchronized Optional<String> reason() {
        return reason;
    }

    /** The rank whose loss set it; empty if it is not set, or for another reason. */
    public synchronized OptionalInt lostRank() {
        return lostRank;
    }

    /**
     * The ranks that did not arrive, if it was set because an operation exceeded its timeout; empty if it is not set,
     * or for another reason.
     */
    public synchronized Optional<List<Integer>> missingRanks() {
        return missingRanks;
    }

    /**
     * Creates the exception of an operation that has ended because the flag is set: {@link RankLostException} if a rank
     * is lost, {@link OperationTimeoutException} if an operation exceeded its timeout, {@link BackendException} if a
     * device of this process has failed, otherwise {@link AbortedException}.
     *
     * @param operation describes the operation that has ended
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
