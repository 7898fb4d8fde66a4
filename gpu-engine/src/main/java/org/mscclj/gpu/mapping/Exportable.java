package org.mscclj.gpu.mapping;

import org.mscclj.gpu.context.DeviceContext;

/** Something of this process that other processes open by a file descriptor. Safe for use by several threads. */
public interface Exportable {
    /** The GPU in whose context it is exported. */
    DeviceContext context();

    /** Makes a new descriptor of it. Called in that context. */
    int exportDescriptor();

    /** Adds a holder, unless it has been freed. */
    boolean tryHold();

    /** Removes a holder; the last one frees it. */
    void drop();
}
