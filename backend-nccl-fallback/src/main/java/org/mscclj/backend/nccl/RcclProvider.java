package org.mscclj.backend.nccl;

import org.mscclj.backend.nccl.ffm.Product;

/** The provider of RCCL, for GPUs of AMD. RCCL has NCCL's interface. */
public final class RcclProvider extends NcclProvider {
    /** Called by the service loader. */
    public RcclProvider() {
        super(Product.RCCL);
    }
}
