package org.mscclj.api.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.error.InvalidArgumentException;

class HintsTest {
    @Test
    void hintsAreValues() {
        Map<String, String> given = new HashMap<>(Map.of("b", "2", "a", "1"));
        Hints hints = Hints.of(given);
        given.put("c", "3");
        assertEquals(List.of("a", "b"), List.copyOf(hints.asMap().keySet()));
        Hints more = hints.with("a", "4");
        assertEquals(Optional.of("1"), hints.get("a"));
        assertEquals(Optional.of("4"), more.get("a"));
        assertEquals(Hints.of(Map.of("a", "1")), Hints.NONE.with("a", "1"));
        assertEquals(
                Hints.of(Map.of("a", "1")).hashCode(), Hints.NONE.with("a", "1").hashCode());
        assertTrue(Hints.NONE.isEmpty());
        assertThrows(UnsupportedOperationException.class, () -> hints.asMap().put("d", "5"));
        assertThrows(InvalidArgumentException.class, () -> hints.with(" ", "1"));
    }

    @Test
    void optionsKeepThem() {
        assertEquals(
                Hints.of(Map.of("a", "1", "b", "2")),
                CommunicatorOptions.rank(0, 1).hint("a", "1").hint("b", "2").hints());
        LocalGroupOptions options = LocalGroupOptions.ranks(1).hint("a", "1").strictHints(true);
        assertEquals(Hints.of(Map.of("a", "1")), options.hints());
        assertEquals(Optional.of(true), options.name("other").strictHints());
        assertEquals(Optional.empty(), CommunicatorOptions.rank(0, 1).strictHints());
    }
}
