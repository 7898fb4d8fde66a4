package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.nccl.ffm.NcclRegistration;
import org.mscclj.spi.fallback.FallbackRegistration;

/** Memory that is registered with a communicator of NCCL, as a buffer or as a symmetric window. */
final class NcclRegisteredMemory implements FallbackRegistration {
    private final NcclHandle handle;
    private final long registration;
    private final boolean symmetric;
    private boolean closed;

    private NcclRegisteredMemory(NcclHandle handle, long registration, boolean symmetric) {
        this.handle = handle;
        this.registration = registration;
        this.symmetric = symmetric;
    }

    /**
     * Registers memory, during a call of the communicator. All ranks must call this if the memory is symmetric.
     *
     * @throws UnsupportedException if NCCL cannot
     */
    static NcclRegisteredMemory register(NcclHandle handle, long address, long bytes, boolean symmetric) {
        NcclRegistration functions = handle.nccl().registration();
        // Not freed after a failure: NCCL may still write the registration.
        Arena arena = Arena.ofShared();
        MemorySegment created = arena.allocate(JAVA_LONG);
        if (symmetric) {
            handle.check("ncclCommWindowRegister", functions.windowRegister(handle.address(), address, bytes, created));
        } else {
            handle.check("ncclCommRegister", functions.register(handle.address(), address, bytes, created));
        }
        long registration = created.get(JAVA_LONG, 0);
        arena.close();
        if (symmetric && registration == 0) {
            throw new UnsupportedException(
                    "NCCL makes no symmetric window here: it needs GPUs that access each other, and memory"
                            + " of cuMemCreate (NCCL_CUMEM_ENABLE)");
        }
        return new NcclRegisteredMemory(handle, registration, symmetric);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (!handle.tryEnter()) {
            handle.awaitAbort(); // NCCL ends the registration with the communicator
            return;
        }
        NcclRegistration functions = handle.nccl().registration();
        try {
            handle.device().makeCurrent();
            if (symmetric) {
                handle.check("ncclCommWindowDeregister", functions.windowDeregister(handle.address(), registration));
            } else {
                handle.check("ncclCommDeregister", functions.deregister(handle.address(), registration));
            }
        } finally {
            handle.exit();
        }
    }
}
