package org.mscclj.runtime.foreign;

import java.util.Optional;
import org.mscclj.runtime.execution.binding.CallSetup;
import org.mscclj.runtime.execution.context.KindContext;

/**
 * Calls of a class, of any size, whose work is not this platform's.
 *
 * @param kindContext the context of the calls; empty if they have none of their own
 */
public record ForeignSetup(Optional<KindContext> kindContext) implements CallSetup {
    @Override
    public long capacity() {
        return Long.MAX_VALUE;
    }

    @Override
    public void retire() {}
}
