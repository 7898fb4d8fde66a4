import org.jspecify.annotations.NullMarked;

/** The CPU backend. */
@NullMarked
module org.mscclj.backend.host {
    requires org.mscclj.api;
    requires org.mscclj.plan;
    requires org.mscclj.posix;
    requires org.mscclj.spi;
    requires org.mscclj.support;
    requires static jdk.incubator.vector;
    requires static org.jspecify;

    provides org.mscclj.spi.device.BackendProvider with
            org.mscclj.backend.host.HostBackendProvider;
    provides org.mscclj.spi.transport.TransportProvider with
            org.mscclj.backend.host.transport.HostTransportProvider;
}
