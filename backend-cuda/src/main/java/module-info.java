import org.jspecify.annotations.NullMarked;

/** The CUDA backend. */
@NullMarked
module org.mscclj.backend.cuda {
    requires jdk.jfr;
    requires org.mscclj.api;
    requires org.mscclj.device.kernels;
    requires org.mscclj.plan;
    requires org.mscclj.posix;
    requires org.mscclj.spi;
    requires jcuda;
    requires static org.jspecify;

    provides org.mscclj.spi.device.BackendProvider with
            org.mscclj.backend.cuda.CudaBackendProvider;
    provides org.mscclj.spi.transport.TransportProvider with
            org.mscclj.backend.cuda.transport.CudaTransportProvider;
}
