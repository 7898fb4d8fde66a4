package org.mscclj.runtime.collective;

import org.mscclj.api.device.Stream;
import org.mscclj.runtime.execution.PlanExecutor;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.selection.PlanRegistryImpl;
import org.mscclj.runtime.selection.RegisteredAlgorithms;

/** Collectives of ranks that have no communicator, and so no native algorithms. */
public final class TestCollectives {
    private TestCollectives() {}

    /** Creates collectives that choose from these plans. */
    public static RankCollectives of(
            ExecutionEnvironment environment, Stream stream, PlanRegistryImpl plans, PlanExecutor executor) {
        return new RankCollectives(environment, stream, new RegisteredAlgorithms(plans), executor, () -> {
            throw new IllegalStateException("there is no communicator");
        });
    }
}
