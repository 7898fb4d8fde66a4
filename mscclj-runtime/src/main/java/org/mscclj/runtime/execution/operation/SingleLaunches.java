package org.mscclj.runtime.execution.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.mscclj.api.Work;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;

/** Operations that are launched once. A later launch closes the ones that have ended. Used by one thread at a time. */
public final class SingleLaunches {
    private final ExecutionEnvironment environment;
    private final List<PreparedCall> operations = new ArrayList<>();

    /** Creates an empty set of operations. */
    public SingleLaunches(ExecutionEnvironment environment) {
        this.environment = environment;
    }

    /** Prepares an operation and launches it. */
    public Work launch(Supplier<PreparedCall> preparing) {
        operations.removeIf(SingleLaunches::closeIfEnded);
        PreparedCall prepared = preparing.get();
        operations.add(prepared);
        return PlanWork.launchOnce(prepared, environment);
    }

    private static boolean closeIfEnded(PreparedCall prepared) {
        boolean ended = prepared.isCompleted();
        if (ended) {
            prepared.close();
        }
        return ended;
    }

    /** Leaves the operations to their creator, which closes them with all others. */
    public void forget() {
        operations.clear();
    }
}
