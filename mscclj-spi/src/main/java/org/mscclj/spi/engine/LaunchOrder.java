package org.mscclj.spi.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Orders the launches of one communicator on one rank, across streams. Each launch takes a ticket when it is enqueued,
 * and starts when all earlier tickets have ended. Launches that all ranks make also have numbers, which are equal on
 * all ranks; other launches, such as point-to-point calls, are not counted there.
 *
 * <p>Happens-before: {@link #ended} is a release and {@link #isNext} an acquire of the same variable, so that a launch
 * sees everything that the launches before it wrote, whichever threads carried them out.
 */
public final class LaunchOrder {
    private static final VarHandle ENDED;
    private static final VarHandle NUMBER = MethodHandles.arrayElementVarHandle(long[].class);

    static {
        try {
            ENDED = MethodHandles.lookup().findVarHandle(LaunchOrder.class, "ended", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The least number of tickets for which the count of launches of all ranks up to the ticket is kept: more than are
     * in flight.
     */
    private static final int KEPT = 1 << 11;

    private static final int SLOTS = 2 * KEPT;

    /** The number of launches of all ranks up to a ticket, in the slot of the ticket. */
    private final long[] sharedUpTo = new long[SLOTS];

    private volatile long taken;
    private volatile long alone;

    @SuppressWarnings("unused") // accessed through ENDED
    private long ended;

    private volatile LongConsumer replays = _ -> {};

    private volatile @Nullable Runnable look;

    private volatile Supplier<Optional<Lateness>> inquiry = Optional::empty;

    /** An order without launches. */
    public LaunchOrder() {}

    /**
     * The next ticket, from 1, for a launch that all ranks make. Callers that enqueue on one stream must hold its lock,
     * so that orders agree.
     */
    public long take() {
        return take(0);
    }

    /**
     * {@link #take} for a launch of this rank alone, or of some ranks, such as a point-to-point call: other ranks do
     * not count it.
     */
    public long takeAlone() {
        return take(1);
    }

    /** Holds the monitor for some nanoseconds, so that both counts change together. */
    private synchronized long take(long ofSomeRanks) {
        long ticket = taken + 1;
        long aloneSoFar = alone + ofSomeRanks;
        NUMBER.setOpaque(sharedUpTo, (int) ticket & (SLOTS - 1), ticket - aloneSoFar);
        alone = aloneSoFar; // first, so that no reader counts it as a launch of all ranks
        taken = ticket;
        return ticket;
    }

    /**
     * Sets the action that is notified of replays of graphs. It must not block or throw.
     *
     * @param action receives the replay's number among the launches that all ranks make; if only some ranks make it,
     *     the number of the last such launch before
     */
    public void whenReplayed(LongConsumer action) {
        replays = action;
    }

    /** Marks the launch of this ticket as a replay of a graph, which was just enqueued, or is about to be. */
    public void replayed(long ticket) {
        replays.accept(numberAt(ticket));
    }

    /**
     * Sets the action that finds the launches that have ended, for an engine that is not notified of ends. The action
     * may call a driver and throw its errors, and must not wait for threads that launch.
     */
    public void pollBy(Runnable action) {
        look = action;
    }

    /** Removes the action of {@link #pollBy}. */
    public void stopPolling() {
        look = null;
    }

    /** Whether {@link #look} does anything. */
    public boolean isPolled() {
        return look != null;
    }

    /** Finds the launches that have ended, as far as they are not known. May call a driver, and throw its errors. */
    public void look() {
        Runnable action = look;
        if (action != null) {
            action.run();
        }
    }

    /**
     * Sets the inquiry that finds the reason why the first launch in flight does not end. The inquiry may wait a second
     * for answers of other ranks.
     */
    public void whenLate(Supplier<Optional<Lateness>> asking) {
        inquiry = asking;
    }

    /**
     * The reason why the first launch in flight does not end; empty if it is not known, or all have ended. May wait a
     * second.
     */
    public Optional<Lateness> lateness() {
        return inquiry.get();
    }

    /** Number of tickets taken. */
    public long taken() {
        return taken;
    }

    /** Number of tickets for launches of this rank alone. */
    public long alone() {
        return alone;
    }

    /** Number of tickets for launches that all ranks make. */
    public long shared() {
        long known;
        do {
            known = sharedUpTo(taken); // both counts, taken together
        } while (known < 0);
        return known;
    }

    /**
     * The number of launches of all ranks when a ticket had been taken: the number of its launch, if all ranks make it,
     * else of the last such launch before.
     *
     * @return −1 if the ticket was not taken, or thousands were taken since
     */
    public long sharedUpTo(long ticket) {
        if (ticket == 0) {
            return 0;
        }
        if (ticket < 0 || ticket > taken) {
            return -1;
        }
        long number = (long) NUMBER.getOpaque(sharedUpTo, (int) ticket & (SLOTS - 1));
        VarHandle.loadLoadFence(); // half of the slots remain until one is overwritten, which would show here
        return taken - ticket < KEPT ? number : -1;
    }

    /**
     * The number of a ticket's launch, if all ranks make it, else the number of the last such launch before. Only the
     * thread that has just taken the ticket may call this: for a ticket from thousands of tickets ago, the result is
     * the number of the last ticket.
     */
    public long numberAt(long ticket) {
        long known = sharedUpTo(ticket);
        return known >= 0 ? known : shared();
    }

    /** Number of launches that have ended. */
    public long endedCount() {
        return (long) ENDED.getAcquire(this);
    }

    /** Number of ended launches that all ranks make; a lower bound if thousands are in flight. */
    public long endedShared() {
        long all = endedCount();
        long known = sharedUpTo(all);
        return known >= 0 ? known : Math.max(0, all - alone);
    }

    /** Number of ended launches that only some ranks make; a lower bound if thousands are in flight. */
    public long endedAlone() {
        long all = endedCount();
        long known = sharedUpTo(all);
        return Math.max(0, all - (known >= 0 ? known : shared()));
    }

    /** Whether every launch before this ticket has ended. */
    public boolean isNext(long ticket) {
        return (long) ENDED.getAcquire(this) == ticket - 1;
    }

    /** Marks the launch of this ticket, which was next, as ended. */
    public void ended(long ticket) {
        ENDED.setRelease(this, ticket);
    }
}
