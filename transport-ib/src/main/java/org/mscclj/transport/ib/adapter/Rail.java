package org.mscclj.transport.ib.adapter;

import org.mscclj.transport.ib.ffm.ProtectionDomain;
import org.mscclj.transport.ib.ffm.VerbsLibrary;
import org.mscclj.transport.ib.port.Port;

/**
 * A port that a rank uses, and the protection domain of the rank's memory and queue pairs on its adapter. Each rank has
 * its own domains: no peer of another rank of the process can reach its memory.
 */
public record Rail(SharedAdapter shared, Port port, ProtectionDomain domain) implements AutoCloseable {
    /** Opens a port. */
    public static Rail open(VerbsLibrary library, Port port) {
        SharedAdapter shared = SharedAdapter.acquire(library, port.adapter());
        try {
            return new Rail(shared, port, new ProtectionDomain(shared.adapter()));
        } catch (RuntimeException | Error e) {
            shared.release();
            throw e;
        }
    }

    /** Closes it. Memory and queue pairs must be closed already. */
    @Override
    public void close() {
        try {
            domain.close();
        } finally {
            shared.release();
        }
    }
}
