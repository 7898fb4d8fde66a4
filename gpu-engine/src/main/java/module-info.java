import org.jspecify.annotations.NullMarked;

/** What the backends of GPUs share. It knows no vendor: a backend gives it a {@code GpuDriver}. */
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
            org.mscclj.backend.cuda;
    exports org.mscclj.gpu.cache to
            org.mscclj.backend.cuda;
    exports org.mscclj.gpu.driver to
            org.mscclj.backend.cuda;
    exports org.mscclj.gpu.occupancy to
            org.mscclj.backend.cuda;
    exports org.mscclj.gpu.transport to
            org.mscclj.backend.cuda;
}
