package org.mscclj.transport.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IbTransportProviderTest {
    @ParameterizedTest
    @CsvSource({"hosts, true", "all, true", "none, false", "' ', false"})
    void dataIsNotSentInClearWhereTheEnvironmentAsksForProtection(String protection, boolean refused) {
        assertEquals(refused, IbTransportProvider.mustEncrypt(Map.of("MSCCLJ_PROTECTION", protection)));
    }

    /** A control plane with TLS protects all connections by default. */
    @Test
    void tlsOfTheControlPlaneAsksForProtection() {
        Map<String, String> tls = Map.of("MSCCLJ_TLS_KEY_STORE", "/rank.p12");
        assertTrue(IbTransportProvider.mustEncrypt(tls));
        assertFalse(IbTransportProvider.mustEncrypt(
                Map.of("MSCCLJ_TLS_KEY_STORE", "/rank.p12", "MSCCLJ_PROTECTION", "none")));
        assertFalse(IbTransportProvider.mustEncrypt(Map.of()));
    }
}
