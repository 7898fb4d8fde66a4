import org.jspecify.annotations.NullMarked;

/** NCCL as a provider of collectives. No other module binds NCCL. */
@NullMarked
module org.mscclj.backend.nccl {
    requires org.mscclj.api;
    requires org.mscclj.posix;
    requires org.mscclj.spi;
    requires static org.jspecify;

    uses org.mscclj.spi.device.BackendProvider;

    provides org.mscclj.spi.device.BackendProvider with
            org.mscclj.backend.nccl.NcclBackendProvider;
    provides org.mscclj.spi.fallback.FallbackProvider with
            org.mscclj.backend.nccl.NcclProvider;
}
