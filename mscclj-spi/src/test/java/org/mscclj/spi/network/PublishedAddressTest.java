package org.mscclj.spi.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

/** Which address peers are told, on a host that has one of everything. */
class PublishedAddressTest {
    private static final List<NetworkLink> HOST = List.of(
            link("lo", true, true, false, "127.0.0.1", "::1"),
            link("docker0", true, false, false, "172.17.0.1"),
            link("br-0123456789ab", true, false, false, "172.18.0.1"),
            link("virbr0", true, false, false, "192.168.122.1"),
            link("veth1a2b", true, false, false, "169.254.1.1"),
            link("tun0", true, false, true, "10.8.0.2"),
            link("ppp7", true, false, true, "10.9.0.2"),
            link("wg0", true, false, false, "10.10.0.2"),
            link("eno0", false, false, false, "10.0.0.9"),
            link("eno1", true, false, false, "fe80::1", "fd00::5", "10.0.0.5"),
            link("ib0", true, false, false, "10.1.0.5"),
            link("br0", true, false, false, "10.2.0.5"));

    private static NetworkLink link(String name, boolean up, boolean local, boolean tunnel, String... addresses) {
        return new NetworkLink(
                name,
                up,
                local,
                tunnel,
                Stream.of(addresses).map(InetAddress::ofLiteral).toList());
    }

    private static String choose(List<NetworkLink> links, String variables, String route) {
        Map<String, String> environment = new HashMap<>();
        for (String variable : variables.split(" ")) {
            if (!variable.isEmpty()) {
                environment.put(
                        variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1));
            }
        }
        Optional<InetAddress> known =
                Optional.of(route).filter(text -> !text.isEmpty()).map(InetAddress::ofLiteral);
        return PublishedAddress.choose(links, NetworkChoice.of(environment), known)
                .getHostAddress();
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 10.0.0.5",
        "'', 10.1.0.5, 10.1.0.5", // the way to rank 0
        "'', 10.8.0.2, 10.8.0.2", // a tunnel, if that is the way
        "'', 10.0.0.9, 10.0.0.5", // that is down now
        "'', 10.99.0.1, 10.0.0.5", // that is gone
        "MSCCLJ_INTERFACE=ib0, '', 10.1.0.5",
        "MSCCLJ_INTERFACE=ib0, 10.0.0.5, 10.1.0.5",
        "'MSCCLJ_INTERFACE=ib7,br0', '', 10.2.0.5",
        "'MSCCLJ_INTERFACE=ib0,eno1', '', 10.1.0.5",
        "MSCCLJ_INTERFACE=docker0, '', 172.17.0.1", // if that is wanted
        "MSCCLJ_INTERFACE=lo, '', 127.0.0.1",
        "MSCCLJ_ADDRESS_FAMILY=ipv6, '', fd00:0:0:0:0:0:0:5",
        "MSCCLJ_ADDRESS_FAMILY=ipv4, fd00::5, 10.0.0.5",
        "MSCCLJ_NETWORK=10.2.0.0/16, '', 10.2.0.5",
        "MSCCLJ_NETWORK=10.0.0.0/8, 10.1.0.5, 10.1.0.5",
        "MSCCLJ_NETWORK=10.1.0.4/30, '', 10.1.0.5",
        "MSCCLJ_NETWORK=fd00::/8, '', fd00:0:0:0:0:0:0:5",
        "MSCCLJ_NETWORK=10.1.0.5, '', 10.1.0.5"
    })
    void theOneThatPeersReachIsChosen(String variables, String route, String address) {
        assertEquals(address, choose(HOST, variables, route));
    }

    @Test
    void aHostWithoutANetworkHasItsLoopbackAddress() {
        assertEquals(InetAddress.getLoopbackAddress().getHostAddress(), choose(HOST.subList(0, 9), "", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MSCCLJ_INTERFACE=eno0",
                "MSCCLJ_INTERFACE=none",
                "MSCCLJ_NETWORK=10.3.0.0/16",
                "MSCCLJ_INTERFACE=ib0 MSCCLJ_ADDRESS_FAMILY=ipv6"
            })
    void whatIsNotThereIsNotReplaced(String variables) {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> choose(HOST, variables, "10.0.0.5"));
        assertTrue(String.valueOf(e.getMessage()).contains("eno1 10.0.0.5"), e::getMessage);
        assertTrue(String.valueOf(e.getMessage()).contains("MSCCLJ_INTERFACE"), e::getMessage);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MSCCLJ_ADDRESS_FAMILY=ip",
                "MSCCLJ_NETWORK=10.0.0.0/33",
                "MSCCLJ_NETWORK=10.0.0.0/x",
                "MSCCLJ_NETWORK=name/8",
                "MSCCLJ_NETWORK=10.0.0.0/-1"
            })
    void otherTextsAreRefused(String variables) {
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> choose(HOST, variables, ""));
        assertTrue(String.valueOf(e.getMessage()).contains("allowed"), e::getMessage);
    }

    @Test
    void connectionsWithinAHostSayNothing() {
        InetAddress before = PublishedAddress.of(Map.of());
        PublishedAddress.connected(InetAddress.getLoopbackAddress(), InetAddress.getLoopbackAddress());
        PublishedAddress.connected(before, before);
        assertEquals(before, PublishedAddress.of(Map.of()));
    }
}
