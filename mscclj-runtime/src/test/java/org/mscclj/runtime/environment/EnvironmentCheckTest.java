package org.mscclj.runtime.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.InvalidArgumentException;

class EnvironmentCheckTest {
    @ParameterizedTest
    @CsvSource({
        "MSCCLJ_PROTECTION, yes",
        "MSCCLJ_TIMEOUT_SECONDS, abc",
        "TORCHCOMM_TIMEOUT_SECONDS, abc",
        "MSCCLJ_CONTROL_PORTS, some",
        "MSCCLJ_KEEPALIVE_SECONDS, 3",
        "MSCCLJ_MASTER_PORT, some",
        "MSCCLJ_INSECURE, perhaps",
        "MSCCLJ_ADDRESS_FAMILY, ipv5",
        "MSCCLJ_NETWORK, 10.1.0.0/99",
        "MSCCLJ_SCRATCH_LIMIT, -5",
        "MSCCLJ_FIRST_FLAG, 0",
        "MSCCLJ_VERIFY_PLANS, always",
        "MSCCLJ_CHECK, maybe",
        "MSCCLJ_NAN_CHECK, maybe",
        "MSCCLJ_STRICT_HINTS, maybe",
        "MSCCLJ_WATCHDOG_ENQUEUE_SECONDS, soon",
        "MSCCLJ_WATCHDOG_START_SECONDS, soon",
        "MSCCLJ_RECORDER_ENTRIES, -1",
        "MSCCLJ_DEBUG_SOCKET, maybe"
    })
    void aBadValueIsRefusedWhereverItMatters(String variable, String value) {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> EnvironmentCheck.of(Map.of(variable, value)));
        assertTrue(String.valueOf(e.getMessage()).startsWith(variable), e::getMessage);
    }

    /** Others use these names, and other ranks may have what this one lacks. */
    @Test
    void whatLaunchersSetIsLeftToThoseThatReadIt() {
        assertEquals(
                Optional.empty(),
                EnvironmentCheck.of(Map.of(
                        "RANK",
                        "first",
                        "WORLD_SIZE",
                        "all",
                        "MSCCLJ_SECRET_FILE",
                        "/nonexistent",
                        "MSCCLJ_JOB",
                        "a")));
    }

    @Test
    void whatIsNotKnownIsTold() {
        assertEquals(
                Optional.of("the environment sets MSCCLJ_A, MSCCLJ_B, which mscclj does not know; check its"
                        + " spelling, mscclj info lists all names"),
                EnvironmentCheck.of(Map.of("MSCCLJ_B", "1", "MSCCLJ_A", "1", "MSCCLJ_CHECK", "1", "MSCCL_C", "1")));
    }
}
