package org.mscclj.runtime.work;

import java.time.Duration;
import org.mscclj.api.Work;
import org.mscclj.api.error.MsccljException;

/** A work of a communicator that may be aborted. */
public interface AbortableWork extends Work {
    /**
     * How long works of a communicator that was aborted are waited for, in nanoseconds: longer than what is at work
     * takes to end. What is behind something else on its stream, or on a device that has failed, need not end for as
     * long as that.
     */
    long LONGEST_END_NANOS = 500_000_000;

    /** What {@link #join()} waits. */
    Duration timeout();

    /**
     * What joining throws that has waited so long in vain. May ask other ranks, and wait for their answers a second at
     * most.
     */
    MsccljException late(Duration waited);

    /**
     * Whether it waits for a rank that has closed its communicator, and so never ends unless that is aborted. To be
     * asked again and again, by one thread. What is so twice, some time apart, is so for good. Neither blocks nor
     * allocates while no rank has closed; afterwards it may ask a driver, and wait some milliseconds for the answer.
     */
    boolean isInVain();

    /** Whether it was: then the work ends, unless its device is lost, and joining throws. Does not block. */
    boolean isAborted();
}
