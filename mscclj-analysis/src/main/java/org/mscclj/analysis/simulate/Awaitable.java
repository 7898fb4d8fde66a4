package org.mscclj.analysis.simulate;

import java.util.Optional;

/** One end of a channel on which a block can wait. */
interface Awaitable {
    /**
     * Waits for the next arrival; returns whether it is already there. In both cases the wait is notified, now or on
     * arrival.
     */
    boolean await(ChannelWait wait);

    /** Describes what a wait still lacks here; empty if it lacks nothing. */
    Optional<String> missing(ChannelWait wait);
}
