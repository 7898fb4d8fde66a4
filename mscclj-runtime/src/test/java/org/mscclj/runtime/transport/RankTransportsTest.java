package org.mscclj.runtime.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.proxy.HostRank;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportProvider;

class RankTransportsTest {
    private final List<String> closed = new ArrayList<>();

    /** A transport that notes that it is closed, and fails to. */
    private TransportProvider provider(String name) {
        Object transport = Proxy.newProxyInstance(
                Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (_, method, _) -> {
                    assertEquals("close", method.getName());
                    closed.add(name);
                    throw new IllegalStateException(name);
                });
        return (TransportProvider) Proxy.newProxyInstance(
                TransportProvider.class.getClassLoader(),
                new Class<?>[] {TransportProvider.class},
                (_, method, _) -> switch (method.getName()) {
                    case "name" -> name;
                    case "open" -> transport;
                    case "withinNode" -> false;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** A provider of a transport for memory of the host, for a device whose memory is another one. */
    private static TransportProvider ofHostMemory(String name, BackendDevice refused, boolean withinNode) {
        Object transport = Proxy.newProxyInstance(
                Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (_, _, _) -> null);
        return (TransportProvider) Proxy.newProxyInstance(
                TransportProvider.class.getClassLoader(),
                new Class<?>[] {TransportProvider.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "name" -> name;
                    case "withinNode" -> withinNode;
                    case "open" -> {
                        if (arguments[0] == refused) {
                            throw new UnsupportedException(name + " moves memory of the host");
                        }
                        yield transport;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void aTransportBetweenNodesMovesAnyMemoryByWayOfTheHosts() {
        try (Backend backend = HostRank.openBackend();
                BackendDevice device = backend.openDevice(0);
                RankTransports transports = new RankTransports(
                        List.of(ofHostMemory("far", device, false), ofHostMemory("near", device, true)), device)) {
            assertEquals(List.of("far-staged"), transports.names());
        }
    }

    @Test
    void aTransportThatCannotBeClosedKeepsNoOtherOpen() {
        try (Backend backend = HostRank.openBackend();
                BackendDevice device = backend.openDevice(0)) {
            RankTransports transports = new RankTransports(List.of(provider("one"), provider("other")), device);
            IllegalStateException e = assertThrows(IllegalStateException.class, transports::close);
            assertEquals("other", e.getMessage());
            assertEquals(1, e.getSuppressed().length);
            assertEquals(List.of("other", "one"), closed);
        }
    }
}
