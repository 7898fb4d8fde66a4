package org.mscclj.runtime.execution.binding;

import java.util.Optional;
import org.mscclj.runtime.execution.context.KindContext;

/** What the ranks have set up together for calls of any size up to a capacity. */
public interface CallSetup {
    /** Returns the most bytes of a caller's slice; equal on all ranks. */
    long capacity();

    /** Returns the context of the calls; empty if they have none of their own. Equal on all ranks. */
    Optional<KindContext> kindContext();

    /** Ends this setup: no caller may bind it to buffers any more. Operations that were bound stay as they are. */
    void retire();
}
