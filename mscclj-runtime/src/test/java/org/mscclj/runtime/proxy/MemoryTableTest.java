package org.mscclj.runtime.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;

class MemoryTableTest {
    private static final long WINDOW = 1L << 32;

    private final MemoryTable<String> table = new MemoryTable<>("rank 0 of local, local memory");

    @Test
    void memoryHasOneIdForEachFourGibibytes() {
        assertEquals(0, table.add("empty", 0));
        assertEquals(1, table.add("one byte", 1));
        assertEquals(2, table.add("one window", WINDOW));
        assertEquals(3, table.add("one window and a byte", WINDOW + 1));
        assertEquals(5, table.add("next", 8));
        MemoryTable.Window<String> second = assertNotNull(table.window(4));
        assertEquals(new MemoryTable.Window<>("one window and a byte", 3, WINDOW, 1), second);
        assertNull(table.window(6));
    }

    private static <T> T assertNotNull(T value) {
        org.junit.jupiter.api.Assertions.assertNotNull(value);
        return value;
    }

    @Test
    void freedIdsAreUsedAgainWhereTheyFit() {
        table.add("a", 1);
        table.add("b", 2 * WINDOW);
        table.add("c", 1);
        table.remove(1);
        assertNull(table.window(1));
        assertNull(table.window(2));
        assertNotNull(table.window(3));
        assertEquals(4, table.add("too wide for the gap", 3 * WINDOW));
        assertEquals(1, table.add("fits", 2 * WINDOW));
        table.remove(1);
        table.remove(1);
    }

    @Test
    void exhaustionSaysWhatToClose() {
        table.add("most", 510 * WINDOW);
        String message = assertThrows(InvalidArgumentException.class, () -> table.add("more", 3 * WINDOW))
                .getMessage();
        assertTrue(message.contains("510 of 512"), message);
        assertTrue(message.contains("close registered memory"), message);
        assertEquals(510, table.add("the rest", 2 * WINDOW));
        assertThrows(InvalidArgumentException.class, () -> table.add("nothing is left", 0));
        assertThrows(InvalidArgumentException.class, () -> table.add("too large for any table", Long.MAX_VALUE));
    }
}
