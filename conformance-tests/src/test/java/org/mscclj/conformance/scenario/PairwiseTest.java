package org.mscclj.conformance.scenario;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;

class PairwiseTest {
    private static final int[] SIZES = {14, 7, 5, 2, 1};

    @Test
    void everyPairOccurs() {
        List<int[]> rows = Pairwise.rows(SIZES, 1);
        for (int a = 0; a < SIZES.length; a++) {
            for (int b = a + 1; b < SIZES.length; b++) {
                Set<List<Integer>> pairs = new HashSet<>();
                for (int[] row : rows) {
                    pairs.add(List.of(row[a], row[b]));
                }
                assertEquals(SIZES[a] * SIZES[b], pairs.size(), "dimensions " + a + " and " + b);
            }
        }
        assertTrue(rows.size() < 2 * 14 * 7, () -> rows.size() + " rows");
    }

    @Test
    void theSeedDecides() {
        assertArrayEquals(
                Pairwise.rows(SIZES, 5).toArray(), Pairwise.rows(SIZES, 5).toArray());
    }

    @Test
    void oneDimensionIsTakenWhole() {
        assertEquals(3, Pairwise.rows(new int[] {3}, 1).size());
        assertThrows(InvalidArgumentException.class, () -> Pairwise.rows(new int[] {3, 0}, 1));
    }
}
