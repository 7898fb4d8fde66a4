package org.mscclj.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;

class LocalGroupOptionsTest {
    private static final LocalGroupOptions OPTIONS = LocalGroupOptions.ranks(2);

    private static void assertRefused(List<Integer> devices) {
        InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> OPTIONS.devices(devices));
        assertEquals(
                "devices is " + devices + "; allowed: 2 numbers, one for each rank, 0 or more each", e.getMessage());
    }

    @Test
    void everyRankHasADeviceOrNone() {
        assertEquals(List.of(), OPTIONS.devices());
        assertEquals(
                List.of(3, 3),
                OPTIONS.devices(List.of(3, 3)).name("other").ranksPerNode(1).devices());
        assertRefused(List.of());
        assertRefused(List.of(0));
        assertRefused(List.of(0, 1, 2));
        assertRefused(List.of(0, -1));
    }
}
