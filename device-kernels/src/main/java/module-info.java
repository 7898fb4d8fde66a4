import org.jspecify.annotations.NullMarked;

/** The sources that GPU backends compile, and what makes a kernel of a plan. */
@NullMarked
module org.mscclj.device.kernels {
    requires transitive org.mscclj.plan;
    requires transitive org.mscclj.spi;
    requires static org.jspecify;

    exports org.mscclj.device.kernels.channel;
    exports org.mscclj.device.kernels.plan;
    exports org.mscclj.device.kernels.source;
    exports org.mscclj.device.kernels.trace;
}
