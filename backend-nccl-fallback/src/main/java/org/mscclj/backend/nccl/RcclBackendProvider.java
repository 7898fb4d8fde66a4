package org.mscclj.backend.nccl;

/** RCCL as a backend, on devices of the ROCm backend. */
public final class RcclBackendProvider extends NcclBackendProvider {
    /** Called by the service loader. */
    public RcclBackendProvider() {
        super(new RcclProvider());
    }
}
