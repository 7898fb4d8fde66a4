package org.mscclj.support.stream;

import java.util.List;
import org.mscclj.spi.engine.LaunchOrder;

/** A piece of work of a stream. */
@FunctionalInterface
public interface StreamWork {
    /**
     * Carries out the work; called by the stream's thread. Must not throw.
     *
     * @param ticket the ticket that the work took when it was enqueued
     */
    void run(long ticket);

    /** The orders of the launches that may delay the work, for messages about timeouts. */
    default List<LaunchOrder> orders() {
        return List.of();
    }
}
