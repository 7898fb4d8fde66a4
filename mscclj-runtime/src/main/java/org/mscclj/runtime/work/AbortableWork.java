package org.mscclj.runtime.work;

import org.mscclj.api.Work;

/** A work of a communicator that may be aborted. */
public interface AbortableWork extends Work {
    /** Whether it was: then the work ends, unless its device is lost, and joining throws. Does not block. */
    boolean isAborted();
}
