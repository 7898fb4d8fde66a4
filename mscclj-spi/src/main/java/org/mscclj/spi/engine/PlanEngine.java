package org.mscclj.spi.engine;

import org.mscclj.api.error.UnsupportedException;

/** Runs plans on a device. */
public interface PlanEngine {
    /**
     * Creates a plan's context on this rank, from memory and connections that the runtime has set up on all ranks.
     *
     * @throws org.mscclj.api.error.UnsupportedException if the engine cannot run the plan; the message names plan,
     *     rank, block and operation
     */
    EngineContext open(ContextSpec spec);

    /**
     * Creates a context for work of another library, such as a fallback, on streams of this device.
     *
     * @throws UnsupportedException if the streams of this backend take no work of other libraries
     */
    default ForeignContext open(ForeignSpec spec) {
        throw new UnsupportedException(
                "streams of this backend take no work of " + spec.library() + "; use an algorithm of this platform");
    }
}
