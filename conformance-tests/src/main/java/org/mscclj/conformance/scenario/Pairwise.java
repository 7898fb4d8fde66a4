package org.mscclj.conformance.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Chooses few combinations of many values: every pair of values of two dimensions occurs in at least one combination.
 * The choice depends only on the arguments.
 */
public final class Pairwise {
    private static final int CANDIDATES = 30;

    private final int[] sizes;
    private final SplittableRandom random;
    private final Set<Long> uncovered = new HashSet<>();

    private Pairwise(int[] sizes, long seed) {
        this.sizes = sizes;
        this.random = new SplittableRandom(seed);
        for (int a = 0; a < sizes.length; a++) {
            for (int b = a + 1; b < sizes.length; b++) {
                for (int i = 0; i < sizes[a]; i++) {
                    for (int j = 0; j < sizes[b]; j++) {
                        uncovered.add(pair(a, i, b, j));
                    }
                }
            }
        }
    }

    /**
     * Returns rows of indices, one index for each dimension.
     *
     * @param sizes number of values of each dimension, at least 1 and at most 1,000
     * @param seed selects one of the many possible choices
     */
    public static List<int[]> rows(int[] sizes, long seed) {
        for (int size : sizes) {
            if (size < 1 || size > 1000) {
                throw InvalidArgumentException.of("values of a dimension", size, "1 to 1000");
            }
        }
        return new Pairwise(sizes.clone(), seed).choose();
    }

    private List<int[]> choose() {
        List<int[]> rows = new ArrayList<>();
        if (sizes.length < 2) {
            for (int i = 0; sizes.length == 1 && i < sizes[0]; i++) {
                rows.add(new int[] {i});
            }
            return rows;
        }
        while (!uncovered.isEmpty()) {
            // Each row takes one missing pair, so that the loop ends, and then the values that cover most pairs.
            int[] best = candidate();
            int covered = coverage(best);
            for (int i = 1; i < CANDIDATES; i++) {
                int[] other = candidate();
                int count = coverage(other);
                if (count > covered) {
                    best = other;
                    covered = count;
                }
            }
            remove(best);
            rows.add(best);
        }
        return rows;
    }

    private int[] candidate() {
        long first = uncovered.iterator().next();
        int[] row = new int[sizes.length];
        for (int d = 0; d < row.length; d++) {
            row[d] = random.nextInt(sizes[d]);
        }
        row[(int) (first >>> 48)] = (int) (first >>> 32) & 0xffff;
        row[(int) (first >>> 16) & 0xffff] = (int) first & 0xffff;
        return row;
    }

    private int coverage(int[] row) {
        int count = 0;
        for (int a = 0; a < row.length; a++) {
            for (int b = a + 1; b < row.length; b++) {
                count += uncovered.contains(pair(a, row[a], b, row[b])) ? 1 : 0;
            }
        }
        return count;
    }

    private void remove(int[] row) {
        for (int a = 0; a < row.length; a++) {
            for (int b = a + 1; b < row.length; b++) {
                uncovered.remove(pair(a, row[a], b, row[b]));
            }
        }
    }

    private static long pair(int a, int i, int b, int j) {
        return (long) a << 48 | (long) i << 32 | (long) b << 16 | j;
    }
}
