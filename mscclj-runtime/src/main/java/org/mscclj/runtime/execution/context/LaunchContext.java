package org.mscclj.runtime.execution.context;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the launches of an operation run in: the context of a plan, or that of another library. */
public interface LaunchContext {
    /** Adds an operation that uses this context. */
    void enter();

    /** Removes an operation that has been closed: its launches have ended. */
    void leave();

    /** Returns whether each rank launches here without the other ranks. */
    boolean launchesAlone();

    /**
     * Returns whether launches end without a rank that has closed its communicator and never makes them. Their results
     * are not valid then. Others wait for it as long as they need it.
     */
    boolean endsWithoutClosed();

    /** Returns the number of launches that a rank has started; −1 if this rank cannot read it, or no longer can. */
    long started(int rank);

    /** Returns the number of launches that a rank has finished; −1 if this rank cannot read it, or no longer can. */
    long finished(int rank);

    /** See {@link org.mscclj.spi.engine.EngineContext#atWork}. May call a driver. */
    long atWork();

    /**
     * Refuses replays of graphs with launches of this context from now on, and waits for those in flight.
     *
     * @param nanos the longest time to wait
     * @return false if a replay had not ended by then; call again in that case
     */
    boolean refuseReplays(long nanos);

    /**
     * Reads the counters of ranks of this node; empty if there are none, or if the driver does not answer within the
     * timeout.
     *
     * @throws RuntimeException an error of the driver
     */
    Optional<CountedLaunches> counted(Duration timeout);

    /** Returns the ranks of this node that are known to have begun fewer launches than a rank. May call a driver. */
    List<Integer> behind(int rank, int size);
}
