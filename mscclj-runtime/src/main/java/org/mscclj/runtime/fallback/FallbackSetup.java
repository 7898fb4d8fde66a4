package org.mscclj.runtime.fallback;

import java.util.Optional;
import org.mscclj.runtime.execution.binding.CallSetup;
import org.mscclj.runtime.execution.context.PlanContext;

/** Calls of a class that the fallback carries out, of any size. The fallback's communicator serves all classes. */
public record FallbackSetup() implements CallSetup {
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
