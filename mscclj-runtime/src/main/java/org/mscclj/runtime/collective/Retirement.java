package org.mscclj.runtime.collective;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.runtime.execution.PreparedPlan;

/**
 * Operations that are launched no more. They are closed when they have ended, so that nobody waits for that. Used by
 * one thread at a time.
 */
final class Retirement {
    private final List<PreparedPlan> ending = new ArrayList<>();

    void add(PreparedPlan operation) {
        ending.add(operation);
        sweep();
    }

    /** Closes what has ended. */
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
