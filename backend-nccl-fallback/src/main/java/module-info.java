import org.jspecify.annotations.NullMarked;

/** NCCL and RCCL as providers of collectives. No other module binds them. */
@NullMarked
module org.mscclj.backend.nccl {
    requires org.mscclj.api;
    requires org.mscclj.posix;
    requires org.mscclj.spi;
    requires static org.jspecify;

    uses org.mscclj.spi.device.BackendProvider;

    provides org.mscclj.spi.device.BackendProvider with
            org.mscclj.backend.nccl.NcclBackendProvider,
            org.mscclj.backend.nccl.RcclBackendProvider;
    provides org.mscclj.spi.fallback.FallbackProvider with
            org.mscclj.backend.nccl.NcclProvider,
            org.mscclj.backend.nccl.RcclProvider;
}
