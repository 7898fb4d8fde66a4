package org.mscclj.transport.nvls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

/** Who may turn multicast on, and what turns it off. */
class NvlsSwitchTest {
    private static final Optional<String> ON = Optional.of("on");

    @Test
    void offByDefault() {
        String reason = NvlsSwitch.off(Map.of(), Optional.empty()).orElseThrow();
        assertTrue(reason.contains("MSCCLJ_NVLS=on"), reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "1", "true", "YES", " on "})
    void aVariableTurnsItOn(String value) {
        assertEquals(Optional.empty(), NvlsSwitch.off(Map.of("MSCCLJ_NVLS", value), Optional.empty()));
    }

    @Test
    void aPropertyTurnsItOn() {
        assertEquals(Optional.empty(), NvlsSwitch.off(Map.of(), ON));
        assertEquals(Optional.empty(), NvlsSwitch.off(Map.of("NCCL_NVLS_ENABLE", "1"), ON));
        assertEquals(Optional.empty(), NvlsSwitch.off(Map.of("MSCCLPP_FORCE_DISABLE_NVLS", "0"), ON));
    }

    @Test
    void aPropertyTurnsItOff() {
        assertEquals(
                Optional.of("it is turned off by the system property mscclj.nvls=off"),
                NvlsSwitch.off(Map.of("MSCCLJ_NVLS", "on"), Optional.of("off")));
    }

    @ParameterizedTest
    @CsvSource({
        "MSCCLJ_NVLS, off",
        "MSCCLJ_NVLS, 0",
        "NCCL_NVLS_ENABLE, 0",
        "NCCL_NVLS_ENABLE, ' 0 '",
        "MSCCLPP_FORCE_DISABLE_NVLS, 1",
        "MSCCLPP_FORCE_DISABLE_NVLS, true",
        "MSCCLPP_FORCE_DISABLE_NVLS, whatever"
    })
    void eachVariableTurnsItOffWhateverTheOthersSay(String variable, String value) {
        String reason = NvlsSwitch.off(Map.of(variable, value), ON).orElseThrow();
        assertEquals("it is turned off by " + variable + "=" + value, reason);
        if (!variable.equals("MSCCLJ_NVLS")) {
            assertTrue(NvlsSwitch.off(Map.of("MSCCLJ_NVLS", "on", variable, value), ON)
                    .isPresent());
        }
    }

    @Test
    void badValuesAreRefused() {
        InvalidArgumentException bad = assertThrows(
                InvalidArgumentException.class, () -> NvlsSwitch.off(Map.of("MSCCLJ_NVLS", "maybe"), Optional.empty()));
        assertTrue(bad.getMessage().contains("MSCCLJ_NVLS"), bad::getMessage);
        assertThrows(InvalidArgumentException.class, () -> NvlsSwitch.off(Map.of(), Optional.of("maybe")));
    }
}
