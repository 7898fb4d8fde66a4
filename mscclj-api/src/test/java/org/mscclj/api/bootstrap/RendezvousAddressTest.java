package org.mscclj.api.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.UnknownHostException;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.UniqueId;
import org.mscclj.api.error.InvalidArgumentException;

/** Addresses of all families are written as they are read. */
class RendezvousAddressTest {
    private static Arbitrary<String> names() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('0', '9')
                .withChars("-._")
                .ofMinLength(1)
                .ofMaxLength(30)
                .filter(name -> !name.contains(".."));
    }

    private static Arbitrary<String> ipv4() {
        return Arbitraries.integers()
                .between(0, 255)
                .list()
                .ofSize(4)
                .map(bytes -> bytes.get(0) + "." + bytes.get(1) + "." + bytes.get(2) + "." + bytes.get(3));
    }

    /**
     * In the JDK's form, in the compressed one, and with an IPv4 address at its end; with a zone that no host here has.
     */
    private static Arbitrary<String> ipv6() {
        Arbitrary<String> addresses = Arbitraries.bytes()
                .array(byte[].class)
                .ofSize(16)
                .map(RendezvousAddressTest::text)
                .flatMap(text ->
                        Arbitraries.of(text, "::" + text.substring(text.lastIndexOf(':') + 1), "::1", "fe80::1"));
        Arbitrary<String> zones = Arbitraries.of("", "%eth0", "%3", "%wlp2s0.100");
        return Combinators.combine(addresses, zones).as((address, zone) -> address + zone);
    }

    private static String text(byte[] bytes) {
        try {
            return Inet6Address.getByAddress(null, bytes, -1).getHostAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Provide
    Arbitrary<RendezvousAddress> addresses() {
        Arbitrary<Optional<String>> interfaces =
                Arbitraries.of("eth0", "ib0", "br-1a2b", "eno1.100").optional();
        Arbitrary<PortRange> ports = Combinators.combine(
                        Arbitraries.integers().between(1, 65_535),
                        Arbitraries.integers().between(1, 65_535))
                .as((a, b) -> new PortRange(Math.min(a, b), Math.max(a, b)));
        return Combinators.combine(interfaces, Arbitraries.oneOf(names(), ipv4(), ipv6()), ports)
                .as(RendezvousAddress::new);
    }

    @Property(tries = 300)
    void whatIsWrittenIsRead(@ForAll("addresses") RendezvousAddress address) {
        assertEquals(address, RendezvousAddress.parse(address.toString()));
        UniqueId id = UniqueId.create(address);
        assertEquals(id, UniqueId.parse(id.text()));
    }

    /** As {@code MASTER_ADDR} and {@code MASTER_PORT} are. */
    @Property(tries = 300)
    void hostAndPortMayBeApart(@ForAll("addresses") RendezvousAddress address) {
        String prefix = address.interfaceName().map(name -> name + ":").orElse("");
        String bracketed = HostText.withBrackets(address.host());
        assertEquals(address, RendezvousAddress.parse(prefix + bracketed, address.ports()));
        if (prefix.isEmpty()) {
            assertEquals(address, RendezvousAddress.parse(address.host(), address.ports()));
        }
    }

    @Property(tries = 300)
    void otherTextsAreRefusedInWords(@ForAll("texts") String text) {
        try {
            RendezvousAddress address = RendezvousAddress.parse(text);
            assertEquals(address, RendezvousAddress.parse(address.toString()));
        } catch (InvalidArgumentException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("allowed"), e::getMessage);
        }
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars("[]:%.-/ a0f1é\0").ofMaxLength(12);
    }

    @ParameterizedTest
    @CsvSource({
        "::1, ::1",
        "[::1], ::1",
        "0:0:0:0:0:0:0:1, 0:0:0:0:0:0:0:1",
        "fe80::1%eth0, fe80::1%eth0",
        "[fe80::1%eth0], fe80::1%eth0",
        "::ffff:10.0.0.1, ::ffff:10.0.0.1",
        "node-1.example, node-1.example",
        "10.0.0.1, 10.0.0.1"
    })
    void hostsOfAllFamiliesAreRead(String text, String host) {
        RendezvousAddress address = RendezvousAddress.parse(text, new PortRange(7, 7));
        assertEquals(host, address.host());
        assertEquals(address, RendezvousAddress.of(text, new PortRange(7, 7)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "::1::",
                "[::1",
                "::1]",
                "[10.0.0.1]",
                "a b",
                "a/b",
                "fe80::1%",
                "fe80::1%a b",
                "12345::",
                "eth0:::1"
            })
    void otherHostsAreRefused(String text) {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> RendezvousAddress.parse(text, new PortRange(7, 7)));
        assertTrue(String.valueOf(e.getMessage()).contains("IPv6 address"), e::getMessage);
    }
}
