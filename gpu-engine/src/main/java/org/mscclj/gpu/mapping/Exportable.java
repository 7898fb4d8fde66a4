package org.mscclj.gpu.mapping;

import org.mscclj.gpu.context.DeviceContext;

/**
 * Something of this process that other processes open by a file descriptor. It has one holder at first, and the last
 * holder frees it. Safe for use by several threads.
 */
public abstract class Exportable {
    private final long id = Exports.nextId();
    private int holders = 1;

    /** Lets other processes ask for it by its id, until it is freed. */
    protected final void export() {
        Exports.add(id, this);
    }

    /** Its id, unique in this process; never reused. */
    public final long id() {
        return id;
    }

    /** The GPU in whose context it is exported. */
    public abstract DeviceContext context();

    /** Makes a new descriptor of it. Called in that context, by a holder. */
    public abstract int exportDescriptor();

    /** Adds a holder, unless it has been freed. */
    public final synchronized boolean tryHold() {
        if (holders > 0) {
            holders++;
            return true;
        }
        return false;
    }

    /** Removes a holder; the last one frees it. */
    public final void drop() {
        synchronized (this) {
            if (--holders > 0) {
                return;
            }
        }
        Exports.remove(id);
        free();
    }

    /** Frees what it has. Called once, without a holder. */
    protected abstract void free();
}
