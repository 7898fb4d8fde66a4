package org.mscclj.runtime.proxy;

import java.util.OptionalInt;
import org.mscclj.spi.engine.AbortFlag;

/** Is told that a rank's port channels cannot go on; ends the communicator. */
@FunctionalInterface
public interface FaultHandler {
    /**
     * Ends the communicator. Must not throw or block: a proxy or a thread of a transport calls it.
     *
     * @param lost the rank that cannot be reached any more; empty if something on this side has failed
     * @param reason what happened, in words
     */
    void failed(OptionalInt lost, String reason);

    /** Sets an abort word, whose first reason stays. */
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
