package org.mscclj.spi.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongConsumer;

/**
 * Orders the launches of one communicator on one rank, whatever streams they are on: each takes a ticket when it is
 * enqueued, and starts when all earlier tickets have ended.
 *
 * <p>Happens-before: {@link #ended} is a release and {@link #isNext} an acquire of the same variable, so that a launch sees
 * everything that the launches before it wrote, whichever threads carried them out.
 */
public final class LaunchOrder {
    private static final VarHandle TAKEN;
    private static final VarHandle ENDED;
    private static final VarHandle ALONE;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(LaunchOrder.class, "taken", long.class);
            ENDED = MethodHandles.lookup().findVarHandle(LaunchOrder.class, "ended", long.class);
            ALONE = MethodHandles.lookup().findVarHandle(LaunchOrder.class, "alone", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // accessed through TAKEN
    private long taken;

    @SuppressWarnings("unused") // accessed through ENDED
    private long ended;

    @SuppressWarnings("unused") // accessed through ALONE
    private long alone;

    private volatile LongConsumer replays = _ -> {};

    private volatile Runnable look = () -> {};

    /** An order without launches. */
    public LaunchOrder() {}

    /** The next ticket, from 1. Callers that enqueue on the same stream must hold its lock, so that orders agree. */
    public long take() {
        return (long) TAKEN.getAndAdd(this, 1L) + 1;
    }

    /** Says who wants to know of replays of graphs. It must not block or throw. */
    public void whenReplayed(LongConsumer action) {
        replays = action;
    }

    /** Says that the launch of this ticket is a replay of a graph, which is about to be enqueued. */
    public void replayed(long ticket) {
        replays.accept(ticket);
    }

    /** Says how to find out which launches have ended, where an engine is not told. The action may call a driver, and must not block. */
    public void whenLookedAt(Runnable action) {
        look = action;
    }

    /** Finds out which launches have ended, as far as that is not known. May call a driver. */
    public void look() {
        look.run();
    }

    /** Number of tickets taken. */
    public long taken() {
        return (long) TAKEN.getVolatile(this);
    }

    /** Says that so many tickets more are for launches of this rank alone, or of some ranks, such as messages: the others do not count them. */
    public void countAlone(long tickets) {
        ALONE.getAndAdd(this, tickets);
    }

    /** Number of tickets for launches of this rank alone. */
    public long alone() {
        return (long) ALONE.getVolatile(this);
    }

    /** Number of tickets for launches that all ranks make. */
    public long shared() {
        return taken() - alone();
    }

    /** Number of launches that have ended. */
    public long endedCount() {
        return (long) ENDED.getAcquire(this);
    }

    /** Whether every launch before this ticket has ended. */
    public boolean isNext(long ticket) {
        return (long) ENDED.getAcquire(this) == ticket - 1;
    }

    /** Says that the launch of this ticket, which was next, has ended. */
    public void ended(long ticket) {
        ENDED.setRelease(this, ticket);
    }
}
