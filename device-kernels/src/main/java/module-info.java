import org.jspecify.annotations.NullMarked;

/** The device library, and the generation of kernels from plans, for GPU backends. */
@NullMarked
module org.mscclj.device.kernels {
    requires transitive org.mscclj.plan;
    requires transitive org.mscclj.spi;
    requires static org.jspecify;

    exports org.mscclj.device.kernels.channel;
    exports org.mscclj.device.kernels.plan;
    exports org.mscclj.device.kernels.source;
    exports org.mscclj.device.kernels.trace;
    exports org.mscclj.device.kernels.transfer;
}
