package org.mscclj.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Timeouts;

class DefaultTimeoutTest {
    private static final String OURS = "MSCCLJ_TIMEOUT_SECONDS";
    private static final String TORCH = "TORCHCOMM_TIMEOUT_SECONDS";

    @Test
    void oursComesFirst() {
        assertEquals(Duration.ofMinutes(10), DefaultTimeout.of(Map.of()));
        assertEquals(Duration.ofMinutes(10), DefaultTimeout.of(Map.of(OURS, " ")));
        assertEquals(Duration.ofSeconds(7), DefaultTimeout.of(Map.of(TORCH, "7")));
        assertEquals(Duration.ofMillis(1500), DefaultTimeout.of(Map.of(TORCH, "1.5")));
        assertEquals(Duration.ofSeconds(8), DefaultTimeout.of(Map.of(TORCH, "7", OURS, " 8 ")));
    }

    @Test
    void launchedRanksHaveIt() {
        Map<String, String> environment = Map.of("MSCCLJ_RANK", "0", "MSCCLJ_WORLD_SIZE", "1", TORCH, "9");
        assertEquals(
                Duration.ofSeconds(9),
                CommunicatorOptions.detect(environment).orElseThrow().timeout());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "99999999999999999999"})
    void zeroAndWhatNoProcessOutlivesAreNone(String text) {
        assertEquals(Timeouts.NONE, DefaultTimeout.of(Map.of(OURS, text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "NaN", "ten"})
    void othersAreRefused(String text) {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> DefaultTimeout.of(Map.of(OURS, text)));
        assertTrue(String.valueOf(e.getMessage()).contains(OURS + " is \"" + text), e::getMessage);
    }

    /** A user reads the stack: it leads to the user's call, and not through streams. */
    @Test
    void theStackOfARefusalHasNoStreams() {
        Map<String, String> wrong = Map.of(OURS, "abc");
        Map<String, String> launched = Map.of("MSCCLJ_RANK", "0", "MSCCLJ_WORLD_SIZE", "1", OURS, "abc");
        for (Executable call :
                List.<Executable>of(() -> DefaultTimeout.of(wrong), () -> CommunicatorOptions.detect(launched))) {
            InvalidArgumentException e = assertThrows(InvalidArgumentException.class, call);
            assertFalse(
                    Arrays.stream(e.getStackTrace())
                            .takeWhile(frame -> !frame.getClassName().equals(DefaultTimeoutTest.class.getName()))
                            .anyMatch(frame -> frame.getClassName().startsWith("java.util.")),
                    () -> Arrays.toString(e.getStackTrace()));
        }
    }
}
