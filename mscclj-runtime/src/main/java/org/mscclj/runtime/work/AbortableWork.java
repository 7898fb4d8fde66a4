package org.mscclj.runtime.work;

import java.time.Duration;
import org.mscclj.api.Work;
import org.mscclj.api.error.MsccljException;

/** A work of a communicator that may be aborted. */
public interface AbortableWork extends Work {
    /**
     * Maximum time to wait for works of an aborted communicator, in nanoseconds: longer than running work takes to end.
     * Work behind other work on its stream, or on a device that has failed, need not end within this time.
     */
    long MAX_END_NANOS = 500_000_000;

    /** Returns the timeout of {@link #join()}. */
    Duration timeout();

    /**
     * Creates the exception of a join that has waited in vain for this long. May ask other ranks, and wait at most a
     * second for their answers.
     */
    MsccljException late(Duration waited);

    /**
     * Returns whether this work waits for a rank that has closed its communicator, and so never ends unless the
     * communicator is aborted. One thread must call this method repeatedly. The result is final if it is true twice,
     * some time apart. Neither blocks nor allocates while no rank has closed; afterwards it may ask a driver, and wait
     * some milliseconds for the answer.
     */
    boolean isInVain();

    /**
     * Returns whether the communicator was aborted: then the work ends, unless its device is lost, and joining throws.
     * Does not block.
     */
    boolean isAborted();
}
