package org.mscclj.runtime.control;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.agreement.Stands;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The inbox of one rank on the control plane: what the ranks of its communicator have sent to it. It holds
 * contributions to collective calls, which are numbered from 0, and messages. Safe for use by several threads; only the
 * waits block.
 */
public final class ControlInbox {
    /**
     * How long a rank reports a call in which it has waited in vain. Other ranks whose timeouts end at about this
     * moment ask much sooner.
     */
    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Map<Long, Contributions> rounds = new HashMap<>();
    private final Map<Sender, Queue<byte[]>> mailboxes = new HashMap<>();

    /** Ranks that have closed their communicators, with the number of launches of all ranks that each has made. */
    private final TreeMap<Integer, Long> departed = new TreeMap<>();

    /** These ranks again, for readers without the monitor. */
    private final Set<Integer> gone = ConcurrentHashMap.newKeySet();

    /** Of these ranks, the one that has made the fewest launches. */
    private volatile Departed fewest = new Departed(-1, Long.MAX_VALUE);

    /** The actions that run when a rank closes its communicator. */
    private final Map<Integer, List<Runnable>> departures = new HashMap<>();

    /** Ranks whose last contribution was withdrawn: they have waited for other ranks in vain. */
    private final TreeSet<Integer> gaveUp = new TreeSet<>();

    /** The waits of this rank, the oldest first: one collective call, and its receives. */
    private final List<Wait> waits = new ArrayList<>();

    /** The last call in which this rank has waited in vain, until it waits again. */
    private Optional<OpenCall> vain = Optional.empty();

    private long vainSinceNanos;

    private final LaunchCounts launchCounts = new LaunchCounts(this::withWaits);
    private final Stands stands = new Stands();
    private long firstOpen;

    /** A wait of this rank. Under the monitor, {@code missing} returns the ranks that it waits for. */
    private record Wait(String what, Instant since, Supplier<List<Integer>> missing) {
        OpenCall now() {
            return new OpenCall(what, since, missing.get());
        }
    }

    private record Departed(int rank, long launches) {}

    private record Sender(int rank, Topic topic) {}

    /** The rank that waits, and what ends its waits. */
    record Waiter(int rank, int size, Duration timeout, AbortFlag abort, Optional<RunningDeadline> shared) {
        Waiter(int rank, int size, Duration timeout, AbortFlag abort) {
            this(rank, size, timeout, abort, Optional.empty());
        }

        Waiter within(Duration limit) {
            return new Waiter(rank, size, limit, abort);
        }

        Waiter within(RunningDeadline deadline) {
            return new Waiter(rank, size, deadline.limit(), abort, Optional.of(deadline));
        }

        /** Returns the deadline of a wait that begins now. */
        RunningDeadline deadline() {
            return shared.orElseGet(() -> RunningDeadline.after(timeout));
        }

        /** Returns how long a wait that begins now may take. */
        Duration left() {
            return shared.map(deadline -> Duration.ofNanos(deadline.left())).orElse(timeout);
        }
    }

    /** Creates an empty inbox. */
    public ControlInbox() {}

    /** Adds the contribution of a rank to a collective call. */
    public synchronized void contribute(long number, int from, Topic topic, Message message) {
        gaveUp.remove(from);
        if (number >= firstOpen) { // otherwise a retry of a call whose contributions this rank has gathered
            Contributions round = rounds.computeIfAbsent(number, n -> new Contributions());
            round.contribute(from, topic, message);
            if (round.isAwaitedAndWhole()) {
                notifyAll();
            }
        }
    }

    /** Withdraws the contribution of a rank, which has waited too long. The rank may contribute again. */
    public synchronized void withdraw(long number, int from) {
        gaveUp.add(from);
        Contributions round = rounds.get(number);
        if (round != null) {
            round.withdraw(from);
        }
    }

    /**
     * Returns whether a rank has contributed to a collective call and not withdrawn its contribution. In a call that is
     * over, every rank has.
     */
    synchronized boolean hasCome(int from, long number) {
        Contributions round = rounds.get(number);
        return number < firstOpen || (round != null && round.hasCome(from));
    }

    /** Adds a message of a rank. */
    public synchronized void send(int from, Topic topic, byte[] message) {
        mailboxes
                .computeIfAbsent(new Sender(from, topic), sender -> new ArrayDeque<>())
                .add(message);
        notifyAll();
    }

    /**
     * Marks a rank as departed: it has closed its communicator, and sends nothing more.
     *
     * @param launches the number of launches of all ranks that it has made
     */
    public void depart(int from, long launches) {
        List<Runnable> due;
        synchronized (this) {
            stands.closed(from);
            departed.putIfAbsent(from, launches);
            gone.add(from);
            if (launches < fewest.launches()) {
                fewest = new Departed(from, launches);
            }
            notifyAll();
            due = Objects.requireNonNullElse(departures.remove(from), List.of());
        }
        due.forEach(Runnable::run);
    }

    /**
     * Runs an action once when a rank closes its communicator, or now if the rank has closed it. The action must not
     * block.
     */
    void whenDeparted(int rank, Runnable action) {
        synchronized (this) {
            if (!departed.containsKey(rank)) {
                departures.computeIfAbsent(rank, _ -> new ArrayList<>()).add(action);
                return;
            }
        }
        action.run();
    }

    /** See {@link ControlPlane#hasClosed}. */
    boolean hasDeparted(int rank) {
        return !gone.isEmpty() && gone.contains(rank);
    }

    /** See {@link ControlPlane#closedBefore}. */
    int closedBefore(long launch) {
        Departed known = fewest;
        return known.launches() < launch ? known.rank() : -1;
    }

    /**
     * Returns the number of launches of all ranks that a rank had made when it closed its communicator; empty if it has
     * not.
     */
    synchronized Optional<Long> launchesOfDeparted(int rank) {
        return Optional.ofNullable(departed.get(rank));
    }

    /** Returns the ranks that have closed their communicators. */
    public synchronized List<Integer> departed() {
        return List.copyOf(departed.keySet());
    }

    /**
     * Returns the call in which this rank waits for other ranks; of several, the one in which it has waited longest.
     */
    synchronized Optional<OpenCall> openCall() {
        return waits.stream().findFirst().map(Wait::now);
    }

    /**
     * Adds the wait of this rank to a report. Ranks that wait for common ranks give up at about the same time, and ask
     * each other then. A rank that has just given up therefore reports for which ranks it has waited.
     */
    private synchronized LaunchReport withWaits(LaunchReport report) {
        Optional<OpenCall> open = openCall();
        if (open.isPresent()) {
            return report.within(open.get().toString(), open.get().awaited());
        }
        return vain.filter(_ -> System.nanoTime() - vainSinceNanos < REMEMBERED_NANOS)
                .map(call -> report.within("", call.awaited()))
                .orElse(report);
    }

    /** Returns the states of the ranks in their calls of shrink. */
    public Stands stands() {
        return stands;
    }

    /** Returns the numbers of launches that ranks have made. */
    public LaunchCounts launchCounts() {
        return launchCounts;
    }

    /** Wakes all waiting threads, so that they see that the communicator was aborted. */
    public void wake() {
        synchronized (this) {
            notifyAll();
        }
        launchCounts.wake();
    }

    /**
     * Waits for all contributions to a call, and forgets them. Calls are numbered consecutively.
     *
     * @param what the description of the call that this rank reports if it waits in vain or is asked
     */
    synchronized Contributions awaitRound(long number, String what, Waiter waiter) {
        Contributions round = rounds.computeIfAbsent(number, n -> new Contributions());
        round.await(waiter.size());
        await(
                what,
                waiter,
                () -> round.isWhole(waiter.size()),
                () -> round.missing(waiter.size()),
                this::withoutThoseWhoCame);
        rounds.remove(number);
        firstOpen = number + 1;
        return round;
    }

    /**
     * Returns the missing ranks without those that have withdrawn. A rank that waits for common ranks gives up at about
     * the same moment, and is not to blame if other ranks are missing.
     */
    private List<Integer> withoutThoseWhoCame(List<Integer> missing) {
        List<Integer> late =
                missing.stream().filter(rank -> !gaveUp.contains(rank)).toList();
        return late.isEmpty() ? missing : late;
    }

    /** Waits for a message, and removes it from the inbox. */
    synchronized byte[] awaitMessage(int from, Topic topic, Waiter waiter) {
        Queue<byte[]> mailbox = mailboxes.computeIfAbsent(new Sender(from, topic), sender -> new ArrayDeque<>());
        await(topic.toString(), waiter, () -> !mailbox.isEmpty(), () -> List.of(from), missing -> missing);
        return mailbox.remove();
    }

    /**
     * Waits until a condition holds. The missing ranks keep it from holding. The caller holds the monitor, which the
     * wait releases.
     *
     * @param late selects those of the missing ranks that are to blame when the time is over
     */
    @SuppressWarnings("ReferenceEquality") // this call, not an equal one
    private void await(
            String what,
            Waiter waiter,
            BooleanSupplier condition,
            Supplier<List<Integer>> missing,
            UnaryOperator<List<Integer>> late) {
        vain = Optional.empty();
        if (condition.getAsBoolean()) {
            return;
        }
        Wait call = new Wait(what, Instant.now(), missing);
        waits.add(call);
        try {
            awaitOpen(what, waiter, condition, missing, late);
        } catch (OperationTimeoutException e) {
            vain = Optional.of(call.now());
            vainSinceNanos = System.nanoTime();
            throw e;
        } finally {
            waits.removeIf(open -> open == call);
        }
    }

    /** See {@link ControlPlane#waitFor}. */
    @SuppressWarnings("ReferenceEquality") // this wait, not an equal one
    synchronized CallScope waitFor(String what, List<Integer> peers) {
        Wait wait = new Wait(what, Instant.now(), () -> peers);
        waits.add(wait);
        return () -> {
            synchronized (this) {
                waits.removeIf(open -> open == wait);
            }
        };
    }

    private void awaitOpen(
            String what,
            Waiter waiter,
            BooleanSupplier condition,
            Supplier<List<Integer>> missing,
            UnaryOperator<List<Integer>> late) {
        RunningDeadline deadline = waiter.deadline();
        while (!condition.getAsBoolean()) {
            if (waiter.abort().isSet()) {
                throw waiter.abort().exception(what);
            }
            Optional<Integer> gone = departed.isEmpty()
                    ? Optional.empty()
                    : missing.get().stream().filter(departed::containsKey).findFirst();
            if (gone.isPresent()) {
                throw new RankLostException(
                        gone.get(),
                        what + ": rank " + gone.get() + " has closed its communicator and takes no part any more");
            }
            long left = deadline.left();
            if (left == 0) {
                throw timedOut(what, waiter, late.apply(missing.get()));
            }
            try {
                wait(Math.clamp(left / 1_000_000, 1, RunningDeadline.LOOK.toMillis()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AbortedException("interrupted while waiting for other ranks", e);
            }
        }
    }

    private static OperationTimeoutException timedOut(String what, Waiter waiter, List<Integer> missing) {
        return new OperationTimeoutException(
                what + ": rank " + waiter.rank() + " waited " + DurationText.of(waiter.timeout()) + " for ranks "
                        + missing + ", which did not arrive; find out what they do, or raise the timeout",
                missing);
    }

    /**
     * Waits until all of the given ranks have departed, or the communicator is aborted.
     *
     * @return whether all of them have departed
     */
    public synchronized boolean awaitDepartures(List<Integer> ranks, Duration timeout, AbortFlag abort) {
        Deadline deadline = Deadline.after(timeout);
        boolean interrupted = false;
        while (!departed.keySet().containsAll(ranks) && !abort.isSet()) {
            long left = deadline.left();
            if (left == 0) {
                break;
            }
            try {
                wait(Math.max(1, left / 1_000_000));
            } catch (InterruptedException e) {
                interrupted = true; // memory that peers still write must not be freed earlier
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return departed.keySet().containsAll(ranks);
    }
}
