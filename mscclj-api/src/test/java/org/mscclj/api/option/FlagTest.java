package org.mscclj.api.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

class FlagTest {
    @ParameterizedTest
    @ValueSource(strings = {"1", "true", "TRUE", " True ", "yes", "on", "y", "T"})
    void yes(String text) {
        assertTrue(Flag.of(Map.of("A", text), "A", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "false", "False", "no", "off", "N", "f"})
    void no(String text) {
        assertFalse(Flag.of(Map.of("A", text), "A", true));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothing(boolean otherwise) {
        assertEquals(otherwise, Flag.of(Map.of(), "A", otherwise));
        assertEquals(otherwise, Flag.of(Map.of("A", " "), "A", otherwise));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "enabled", "tru", "-1", "0x1"})
    void otherTextsAreRefused(String text) {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> Flag.of(Map.of("A", text), "A", true));
        assertTrue(String.valueOf(e.getMessage()).startsWith("A is \"" + text + "\""), e::getMessage);
    }
}
