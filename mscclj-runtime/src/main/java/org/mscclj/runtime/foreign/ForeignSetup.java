package org.mscclj.runtime.foreign;

import java.util.Optional;
import org.mscclj.runtime.execution.binding.CallSetup;
import org.mscclj.runtime.execution.context.PlanContext;

/** Calls of a class, of any size, whose work is not this platform's. */
public record ForeignSetup() implements CallSetup {
    @Override
    public long capacity() {
        return Long.MAX_VALUE;
    }

    @Override
    public Optional<PlanContext> planContext() {
        return Optional.empty();
    }

    @Override
    public void retire() {}
}
