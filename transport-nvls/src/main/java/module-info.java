import org.jspecify.annotations.NullMarked;

/** Multicast {@code nvls}: switches between GPUs reduce and store for switch channels. */
@NullMarked
module org.mscclj.transport.nvls {
    requires org.mscclj.api;
    requires org.mscclj.spi;
    requires static org.jspecify;

    provides org.mscclj.spi.multicast.MulticastProvider with
            org.mscclj.transport.nvls.NvlsProvider;
}
