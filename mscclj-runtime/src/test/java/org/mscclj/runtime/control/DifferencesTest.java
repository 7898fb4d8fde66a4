package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Words are rendered only where values differ. */
class DifferencesTest {
    private static final byte[] ONE = {1};
    private static final byte[] TWO = {2};

    @Test
    void equalBytesAreNotDescribed() {
        assertEquals(
                Optional.empty(),
                Differences.among(new byte[][] {ONE, ONE.clone(), ONE.clone()}, _ -> fail("bytes are equal")));
        assertEquals(Optional.empty(), Differences.among(new byte[0][], _ -> fail("there are none")));
        assertEquals(Optional.empty(), Differences.among(List.of("a", "a"), _ -> fail("values are equal")));
    }

    @Test
    void ranksOfEachValueAreNamed() {
        assertEquals(
                Optional.of("ranks [0, 2]: value 1; ranks [1]: value 2"),
                Differences.among(new byte[][] {ONE, TWO, ONE.clone()}, bytes -> "value " + bytes[0]));
    }

    @Test
    void differentBytesOfEqualWordsAreShown() {
        assertEquals(
                Optional.of("ranks [0]: the same (01); ranks [1]: the same (02)"),
                Differences.among(new byte[][] {ONE, TWO}, _ -> "the same"));
    }
}
