package org.mscclj.runtime.proxy;

import java.util.OptionalInt;
import org.mscclj.spi.engine.AbortFlag;

/** Handles a fault of a rank's port channels: ends the communicator. */
@FunctionalInterface
public interface FaultHandler {
    /**
     * Ends the communicator. Must not throw or block: a proxy or a thread of a transport calls it.
     *
     * @param lost the rank that cannot be reached any more; empty if something on this side has failed
     * @param reason description of the fault
     */
    void failed(OptionalInt lost, String reason);

    /** Returns a handler that sets an abort word, which keeps its first reason. */
    static FaultHandler of(AbortFlag abort) {
        return (lost, reason) -> {
            if (lost.isPresent()) {
                abort.lose(lost.getAsInt(), reason);
            } else {
                abort.fail(reason);
            }
        };
    }
}
