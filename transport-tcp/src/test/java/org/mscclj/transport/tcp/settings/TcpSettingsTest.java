package org.mscclj.transport.tcp.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.InvalidArgumentException;

class TcpSettingsTest {
    @Test
    void anEmptyEnvironmentGivesTheDefaults() {
        assertEquals(TcpSettings.DEFAULTS, TcpSettings.of(Map.of()));
    }

    @Test
    void portsAreAPortOrARange() {
        assertEquals(new PortRange(5000, 5000), ports("5000"));
        assertEquals(new PortRange(5000, 5100), ports(" 5000-5100 "));
        assertEquals(PortRange.ANY, ports("0"));
        assertEquals(PortRange.ANY, ports(" "));
    }

    private static PortRange ports(String text) {
        return TcpSettings.of(Map.of("MSCCLJ_TCP_PORTS", text)).ports();
    }

    @Test
    void theInterfaceMayBeNamedByItsAddress() {
        TcpSettings settings = TcpSettings.of(Map.of("MSCCLJ_TCP_INTERFACE", "127.0.0.1"));
        assertEquals(
                InetAddress.getLoopbackAddress().getHostAddress(),
                settings.localAddress().getHostAddress());
    }

    @ParameterizedTest
    @CsvSource({
        "MSCCLJ_TCP_PORTS, 5100-5000",
        "MSCCLJ_TCP_PORTS, 70000",
        "MSCCLJ_TCP_PORTS, 0-5",
        "MSCCLJ_TCP_PORTS, ten",
        "MSCCLJ_TCP_CONNECTIONS, 0",
        "MSCCLJ_TCP_CONNECTIONS, 17",
        "MSCCLJ_TCP_CONNECTIONS, many",
        "MSCCLJ_TCP_TLS, yes",
        "MSCCLJ_TCP_TLS, 1",
        "MSCCLJ_TCP_INTERFACE, no-such-interface"
    })
    void invalidValuesAreNamed(String variable, String value) {
        String message = assertThrows(
                        InvalidArgumentException.class,
                        () -> TcpSettings.of(Map.of(variable, value)).localAddress())
                .getMessage();
        String text = String.valueOf(message);
        assertTrue(text.contains(variable.equals("MSCCLJ_TCP_TLS") ? "MSCCLJ_TCP" : variable), text);
        assertTrue(text.contains("allowed: "), text);
    }
}
