package org.mscclj.runtime.foreign;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.runtime.execution.context.CountedLaunches;
import org.mscclj.runtime.execution.context.LaunchContext;
import org.mscclj.spi.engine.ForeignContext;

/**
 * Launches of work that is not this platform's. Nothing shows how far they are on the devices of other ranks.
 *
 * @param endsWithoutClosed whether they end without a rank that has closed its communicator
 * @param operations the number of operations that are not closed
 */
public record ForeignLaunches(ForeignContext engine, boolean endsWithoutClosed, AtomicInteger operations)
        implements LaunchContext {
    private static final long UNKNOWN = -1;

    /** Creates launches of no operations yet. */
    public ForeignLaunches(ForeignContext engine, boolean endsWithoutClosed) {
        this(engine, endsWithoutClosed, new AtomicInteger());
    }

    @Override
    public void enter() {
        operations.incrementAndGet();
    }

    @Override
    public void leave() {
        operations.decrementAndGet();
    }

    /** Returns whether no operation of this rank is open. */
    boolean isIdle() {
        return operations.get() == 0;
    }

    @Override
    public boolean launchesAlone() {
        return false;
    }

    @Override
    public long started(int rank) {
        return UNKNOWN;
    }

    @Override
    public long finished(int rank) {
        return UNKNOWN;
    }

    @Override
    public long atWork() {
        return 0;
    }

    @Override
    public boolean refuseReplays(long nanos) {
        return engine.refuseReplays(nanos);
    }

    @Override
    public Optional<CountedLaunches> counted(Duration timeout) {
        return Optional.empty();
    }

    @Override
    public List<Integer> behind(int rank, int size) {
        return List.of();
    }
}
