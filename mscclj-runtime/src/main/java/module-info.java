import org.jspecify.annotations.NullMarked;

/** The engine behind the API. Applications need not require it: they find it by service loader. */
@NullMarked
@SuppressWarnings("module") // the command is compiled later
module org.mscclj.runtime {
    requires org.mscclj.analysis;
    requires jdk.jfr;
    requires org.mscclj.api;
    requires org.mscclj.language;
    requires org.mscclj.plan;
    requires org.mscclj.spi;
    requires static org.jspecify;

    exports org.mscclj.runtime.dump to
            org.mscclj.cli;
    exports org.mscclj.runtime.environment to
            org.mscclj.cli;

    uses org.mscclj.spi.device.BackendProvider;
    uses org.mscclj.spi.fallback.FallbackProvider;
    uses org.mscclj.spi.multicast.MulticastProvider;
    uses org.mscclj.spi.transport.TransportProvider;

    provides org.mscclj.api.Platform with
            org.mscclj.runtime.RuntimePlatform;
    provides org.mscclj.api.tuning.TuningFiles with
            org.mscclj.runtime.RuntimeTuningFiles;
}
