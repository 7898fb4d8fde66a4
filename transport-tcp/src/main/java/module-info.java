import org.jspecify.annotations.NullMarked;

/** The transport over TCP. */
@NullMarked
module org.mscclj.transport.tcp {
    requires org.mscclj.api;
    requires org.mscclj.spi;
    requires static org.jspecify;

    provides org.mscclj.spi.transport.TransportProvider with
            org.mscclj.transport.tcp.TcpTransportProvider;
}
