import org.jspecify.annotations.NullMarked;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.device.kernels.natives.CopyingAllGather;
import org.mscclj.device.kernels.natives.CopyingBroadcast;

/** The device library, the generation of kernels from plans, and shipped native algorithms, for GPU backends. */
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

    provides NativeAlgorithm with
            CopyingAllGather,
            CopyingBroadcast;
}
