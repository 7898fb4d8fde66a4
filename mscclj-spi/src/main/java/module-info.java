import org.jspecify.annotations.NullMarked;

/** The service interfaces that backends, transports, multicast and fallback providers implement. */
@NullMarked
module org.mscclj.spi {
    requires jdk.net;
    requires transitive org.mscclj.api;
    requires transitive org.mscclj.plan;
    requires static org.jspecify;

    exports org.mscclj.spi;
    exports org.mscclj.spi.device;
    exports org.mscclj.spi.engine;
    exports org.mscclj.spi.fallback;
    exports org.mscclj.spi.library;
    exports org.mscclj.spi.memory;
    exports org.mscclj.spi.multicast;
    exports org.mscclj.spi.network;
    exports org.mscclj.spi.protection;
    exports org.mscclj.spi.proxy;
    exports org.mscclj.spi.trace;
    exports org.mscclj.spi.transfer;
    exports org.mscclj.spi.transport;
    exports org.mscclj.spi.transport.mapped;
    exports org.mscclj.spi.waiting;

    uses org.mscclj.api.NativeAlgorithm;
}
