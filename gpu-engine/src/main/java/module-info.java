import org.jspecify.annotations.NullMarked;

/** The part that the backends for GPUs share. It depends on no vendor: a backend supplies a {@code GpuDriver}. */
@NullMarked
@SuppressWarnings("module") // the backends that use it are compiled later
module org.mscclj.gpu {
    requires jdk.jfr;
    requires transitive org.mscclj.api;
    requires org.mscclj.device.kernels;
    requires org.mscclj.plan;
    requires org.mscclj.posix;
    requires transitive org.mscclj.spi;
    requires static org.jspecify;

    exports org.mscclj.gpu to
            org.mscclj.backend.cuda,
            org.mscclj.backend.rocm;
    exports org.mscclj.gpu.cache to
            org.mscclj.backend.cuda;
    exports org.mscclj.gpu.driver to
            org.mscclj.backend.cuda,
            org.mscclj.backend.rocm;
    exports org.mscclj.gpu.library to
            org.mscclj.backend.cuda,
            org.mscclj.backend.rocm;
}
