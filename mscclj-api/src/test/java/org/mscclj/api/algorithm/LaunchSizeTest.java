package org.mscclj.api.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

class LaunchSizeTest {
    @ParameterizedTest
    @CsvSource({"packets,packets,0,0", "packets@8,packets,8,0", "a@b@8x512,a@b,8,512", "copies@0x256,copies,0,256"})
    void namesEndWithSizes(String name, String base, int blocks, int threads) {
        LaunchSize size = new LaunchSize(blocks, threads);
        assertEquals(base, LaunchSize.base(name));
        assertEquals(size, LaunchSize.of(name));
        assertEquals(name, base + size.suffix());
    }

    @ParameterizedTest
    @ValueSource(strings = {"packets@", "packets@many", "packets@8x", "packets@x8", "packets@-8", "a@1x2x3"})
    void whatIsNoSizeIsRefused(String name) {
        String said = assertThrows(InvalidArgumentException.class, () -> LaunchSize.of(name))
                .getMessage();
        assertTrue(said.contains('"' + name + "\"; allowed: behind @"), said);
    }

    @Test
    void numbersAreNotNegative() {
        assertThrows(InvalidArgumentException.class, () -> new LaunchSize(-1, 0));
        assertThrows(InvalidArgumentException.class, () -> new LaunchSize(0, -1));
    }
}
