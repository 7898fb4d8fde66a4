package org.mscclj.plan.simulate;

import java.util.Optional;

/** What can be waited for on a channel. */
interface Awaited {
    /** Waits for what comes next; whether it is there. Either way the wait is told, now or when it comes. */
    boolean await(ChannelWait wait);

    /** What a wait still waits for here, in words; empty if it is there. */
    Optional<String> missing(ChannelWait wait);
}
