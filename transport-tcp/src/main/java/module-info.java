import org.jspecify.annotations.NullMarked;

/** The transport {@code tcp}: one-sided writes and signals over TCP connections. */
@NullMarked
module org.mscclj.transport.tcp {
    requires org.mscclj.api;
    requires org.mscclj.spi;
    requires static org.jspecify;

    provides org.mscclj.spi.transport.TransportProvider with
            org.mscclj.transport.tcp.TcpTransportProvider;
}
