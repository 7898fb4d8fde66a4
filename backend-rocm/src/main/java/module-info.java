import org.jspecify.annotations.NullMarked;

/** The ROCm backend: the driver of AMD GPUs for the GPU engine, by HIP and hipRTC. */
@NullMarked
module org.mscclj.backend.rocm {
    requires org.mscclj.api;
    requires org.mscclj.gpu;
    requires org.mscclj.posix;
    requires org.mscclj.spi;
    requires static org.jspecify;

    provides org.mscclj.spi.device.BackendProvider with
            org.mscclj.backend.rocm.RocmBackendProvider;
    provides org.mscclj.spi.transport.TransportProvider with
            org.mscclj.backend.rocm.RocmTransportProvider;
}
