package org.mscclj.runtime.foreign;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.runtime.execution.context.CountedLaunches;
import org.mscclj.runtime.execution.context.LaunchContext;
import org.mscclj.spi.engine.ForeignContext;

/**
 * Launches of work that is not this platform's. Nothing shows how far they are on the devices of other ranks.
 *
 * @param endsWithoutClosed whether they end without a rank that has closed its communicator
 */
public record ForeignLaunches(ForeignContext engine, boolean endsWithoutClosed) implements LaunchContext {
    private static final long UNKNOWN = -1;

    @Override
    public void enter() {}

    @Override
    public void leave() {}

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
