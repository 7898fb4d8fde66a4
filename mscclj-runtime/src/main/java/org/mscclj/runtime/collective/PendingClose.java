package org.mscclj.runtime.collective;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.runtime.execution.operation.PreparedCall;

/**
 * Operations that will not be launched again. They are closed when their last launch has ended, so that no thread waits
 * for that end. Used by one thread at a time.
 */
final class PendingClose {
    private final List<PreparedCall> ending = new ArrayList<>();

    void add(PreparedCall operation) {
        ending.add(operation);
        sweep();
    }

    /** Closes the operations whose launches have ended. */
    void sweep() {
        if (!ending.isEmpty()) {
            ending.removeIf(operation -> {
                boolean ended = operation.isCompleted();
                if (ended) {
                    operation.close();
                }
                return ended;
            });
        }
    }
}
