package org.mscclj.transport.ib.ffm;

/** Memory and queue pairs that may be used together ({@code struct ibv_pd}). Thread-safe. */
public final class ProtectionDomain implements AutoCloseable {
    private final Adapter adapter;
    private final long handle;

    /** Creates an empty protection domain. */
    public ProtectionDomain(Adapter adapter) {
        this.adapter = adapter;
        this.handle = adapter.library().pointer(VerbsFunction.ALLOC_PD, adapter.handle());
    }

    Adapter adapter() {
        return adapter;
    }

    long handle() {
        return handle;
    }

    /** Frees it. Its memory regions and queue pairs must be closed already. */
    @Override
    public void close() {
        adapter.library().call(VerbsFunction.DEALLOC_PD, handle);
    }
}
