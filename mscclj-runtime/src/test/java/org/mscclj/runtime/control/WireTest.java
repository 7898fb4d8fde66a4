package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class WireTest {
    private static String sent(String text) {
        return Wire.decode(Wire.encode(out -> Wire.writeText(out, text)), in -> in.readUTF());
    }

    @Test
    void longTextsAreCut() {
        String most = "я".repeat(8192);
        assertEquals("", sent(""));
        assertEquals(most, sent(most));
        assertEquals(most + "…", sent(most + "я"));
        assertEquals(most + "…", sent("я".repeat(100_000)));
        assertEquals(Wire.shortened(most + "яя"), Wire.shortened(Wire.shortened(most + "яя")));
    }

    @Test
    void ranksArriveInOrder() {
        for (List<Integer> ranks : List.of(List.<Integer>of(), List.of(7), List.of(3, 1, 2))) {
            assertEquals(ranks, Wire.decode(Wire.encode(out -> Wire.writeRanks(out, ranks)), Wire::readRanks));
        }
    }
}
