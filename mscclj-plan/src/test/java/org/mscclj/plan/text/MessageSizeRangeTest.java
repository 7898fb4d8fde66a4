package org.mscclj.plan.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageSizeRangeTest {
    @ParameterizedTest
    @CsvSource({
        "0, -1, any size",
        "0, 9223372036854775807, any size",
        "1024, -1, 1024 bytes and more",
        "0, 1048576, up to 1048576 bytes",
        "1024, 1048576, 1024 to 1048576 bytes",
        "1024, -2, 1024 to 18446744073709551614 bytes"
    })
    void missingLimitsAreOmitted(long least, long most, String text) {
        assertEquals(text, MessageSizeRange.text(least, most));
    }
}
