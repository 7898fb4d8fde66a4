package org.mscclj.analysis.picture;

import java.util.Locale;
import org.mscclj.plan.Operation;

/** The groups of operations; each has one colour. */
enum OperationGroup {
    MOVE("move data"),
    REDUCE("reduce, plain or packets"),
    PACKETS("move packets"),
    SIGNAL("signal, release"),
    WAIT("wait, acquire, flush"),
    BARRIER("nop, barrier");

    private final String label;

    OperationGroup(String label) {
        this.label = label;
    }

    /** The text in the legend. */
    String label() {
        return label;
    }

    /** The key in styles and data. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    static OperationGroup of(Operation operation) {
        return switch (operation) {
            case Operation.Nop _, Operation.Barrier _ -> BARRIER;
            case Operation.Signal _, Operation.SemaphoreRelease _ -> SIGNAL;
            case Operation.Wait _, Operation.SemaphoreAcquire _, Operation.Flush _ -> WAIT;
            case Operation.Pipeline _ -> MOVE;
            case Operation.Data data ->
                data.kind().reduces() ? REDUCE : data.kind().packets() ? PACKETS : MOVE;
        };
    }
}
