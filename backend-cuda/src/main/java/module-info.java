import org.jspecify.annotations.NullMarked;

/** The CUDA backend: the driver of NVIDIA GPUs for the GPU engine. */
@NullMarked
module org.mscclj.backend.cuda {
    requires org.mscclj.api;
    requires org.mscclj.gpu;
    requires org.mscclj.posix;
    requires org.mscclj.spi;
    requires jcuda;
    requires static org.jspecify;

    provides org.mscclj.spi.device.BackendProvider with
            org.mscclj.backend.cuda.CudaBackendProvider;
    provides org.mscclj.spi.transport.TransportProvider with
            org.mscclj.backend.cuda.CudaTransportProvider;
}
