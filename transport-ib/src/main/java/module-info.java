import org.jspecify.annotations.NullMarked;

/** The transport {@code ib}: one-sided writes and signals by RDMA, over InfiniBand or RoCE. */
@NullMarked
module org.mscclj.transport.ib {
    requires org.mscclj.api;
    requires org.mscclj.posix;
    requires org.mscclj.spi;
    requires static org.jspecify;

    provides org.mscclj.spi.transport.TransportProvider with
            org.mscclj.transport.ib.IbTransportProvider;
}
