package org.mscclj.transport.ib.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.transport.ib.settings.IbSettings.PortName;

class IbSettingsTest {
    @Test
    void portsAreNamedInOrder() {
        List<PortName> ports = IbSettings.of(Map.of("MSCCLJ_HCA_DEVICES", " mlx5_1:2, mlx5_0 ,"))
                .ports();
        assertEquals(
                List.of(new PortName("mlx5_1", OptionalInt.of(2)), new PortName("mlx5_0", OptionalInt.empty())), ports);
        assertTrue(ports.getFirst().matches("mlx5_1", 2));
        assertFalse(ports.getFirst().matches("mlx5_1", 1));
        assertTrue(ports.getLast().matches("mlx5_0", 7));
    }

    @Test
    void namesOfMscclppAreReadAfterOurs() {
        Map<String, String> both =
                Map.of("MSCCLPP_IB_GID_INDEX", "3", "MSCCLJ_IB_GID_INDEX", "5", "MSCCLPP_HCA_DEVICES", "a");
        assertEquals(OptionalInt.of(5), IbSettings.of(both).gidIndex());
        assertEquals("a", IbSettings.of(both).ports().getFirst().adapter());
        assertEquals(
                OptionalInt.of(3),
                IbSettings.of(Map.of("MSCCLPP_IB_GID_INDEX", "3", "MSCCLJ_IB_GID_INDEX", " "))
                        .gidIndex());
    }

    @Test
    void partitionsMayBeHexadecimal() {
        assertEquals(
                OptionalInt.of(0x8001),
                IbSettings.of(Map.of("MSCCLJ_IB_PARTITION", "0x8001")).partition());
    }

    @ParameterizedTest
    @CsvSource({
        "MSCCLJ_IB_GID_INDEX, 256, 0 to 255",
        "MSCCLJ_IB_SERVICE_LEVEL, 16, 0 to 15",
        "MSCCLJ_IB_TRAFFIC_CLASS, -1, 0 to 255",
        "MSCCLJ_IB_PARTITION, 0x10000, 1 to 65535",
        "MSCCLJ_IB_RAILS, 0, 1 to 8",
        "MSCCLJ_IB_QUEUE_PAIRS, many, 1 to 16",
        "MSCCLJ_IB_TIMEOUT, 32, 1 to 31",
        "MSCCLJ_IB_RETRIES, 8, 0 to 7",
        "MSCCLJ_IB_ATOMICS, perhaps, 1 or 0",
        "MSCCLJ_IB_GPU_MEMORY, 2, 1 or 0",
        "MSCCLJ_HCA_DEVICES, mlx5_0:x, 1 to 255"
    })
    void badValuesAreRefused(String variable, String value, String allowed) {
        String message = assertThrows(InvalidArgumentException.class, () -> IbSettings.of(Map.of(variable, value)))
                .getMessage();
        assertTrue(message.contains(variable) && message.contains(allowed), message);
    }
}
