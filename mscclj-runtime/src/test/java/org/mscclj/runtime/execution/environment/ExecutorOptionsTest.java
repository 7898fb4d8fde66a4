package org.mscclj.runtime.execution.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

/** The environment changes how plans are executed. */
class ExecutorOptionsTest {
    @Test
    void anEmptyEnvironmentChangesNothing() {
        assertEquals(ExecutorOptions.DEFAULT, ExecutorOptions.of(Map.of(), Optional.empty()));
    }

    @Test
    void whoHasChosenIsNotAskedByTheEnvironment() {
        ExecutorOptions told = ExecutorOptions.of(Map.of(ExecutorOptions.CHECK_VARIABLE, "1"), Optional.empty());
        assertTrue(told.withCheck(Optional.empty()).checksCalls());
        assertFalse(told.withCheck(Optional.of(false)).checksCalls());
        assertTrue(ExecutorOptions.DEFAULT.withCheck(Optional.of(true)).checksCalls());
    }

    /** As in other variables: files that set variables often have empty ones. */
    @Test
    void emptyVariablesAreNotSet() {
        Map<String, String> environment =
                Map.of(ExecutorOptions.SCRATCH_LIMIT_VARIABLE, "", ExecutorOptions.FIRST_FLAG_VARIABLE, " ");
        assertEquals(ExecutorOptions.of(Map.of(), Optional.empty()), ExecutorOptions.of(environment, Optional.empty()));
    }

    @Test
    void flagsAreUnsigned() {
        Map<String, String> environment = Map.of(ExecutorOptions.FIRST_FLAG_VARIABLE, "4294967295");
        assertEquals(-1, ExecutorOptions.of(environment, Optional.empty()).firstFlag());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "9223372036854775808", "64M"})
    void otherLimitsOfScratchAreRefused(String text) {
        InvalidArgumentException refused = assertThrows(
                InvalidArgumentException.class,
                () -> ExecutorOptions.of(Map.of(ExecutorOptions.SCRATCH_LIMIT_VARIABLE, text), Optional.empty()));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("MSCCLJ_SCRATCH_LIMIT is \"" + text),
                refused::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "4294967296", "one"})
    void otherFlagsAreRefused(String text) {
        InvalidArgumentException refused = assertThrows(
                InvalidArgumentException.class,
                () -> ExecutorOptions.of(Map.of(ExecutorOptions.FIRST_FLAG_VARIABLE, text), Optional.empty()));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("MSCCLJ_FIRST_FLAG is \"" + text), refused::getMessage);
    }
}
