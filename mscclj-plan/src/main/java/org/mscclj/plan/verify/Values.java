package org.mscclj.plan.verify;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Symbolic values. A value is nothing, one cell of one rank's input of one launch, or two values reduced. Equal expressions are one value, so
 * that equal numbers mean equal bits; all reductions commute, and {@code a + b} is {@code b + a}, while {@code (a + b) + c} is not {@code
 * a + (b + c)}.
 */
final class Values {
    /** What nobody has written: stale, foreign or poison. */
    static final int NOTHING = 0;

    private static final int FIRST_NODES = 1 << 10;

    private final int ranks;
    private final int cells;
    private final int firstNode;
    private int[] left = new int[FIRST_NODES];
    private int[] right = new int[FIRST_NODES];
    private int nodes;
    private int[] table = new int[4 * FIRST_NODES];

    /** Reductions that were found complete, and of which cell. */
    private final Map<Integer, Integer> complete = new HashMap<>();

    /**
     * The values of some launches.
     *
     * @param launches number of launches
     * @param ranks number of ranks
     * @param cells cells of each rank's input
     */
    Values(int launches, int ranks, int cells) {
        this.ranks = ranks;
        this.cells = cells;
        this.firstNode = Math.addExact(1, Math.multiplyExact(launches, Math.multiplyExact(ranks, cells)));
    }

    /** A cell of an input, as it is in a launch. */
    int input(int launch, int rank, int cell) {
        return 1 + (launch * ranks + rank) * cells + cell;
    }

    boolean isInput(int value) {
        return value > NOTHING && value < firstNode;
    }

    /** The rank of an input. */
    int rankOf(int input) {
        return (input - 1) / cells % ranks;
    }

    /** The cell of an input. */
    int cellOf(int input) {
        return (input - 1) % cells;
    }

    private int launchOf(int input) {
        return (input - 1) / cells / ranks;
    }

    /** Two values reduced; nothing, if one is nothing. */
    int reduce(int one, int other) {
        if (one == NOTHING || other == NOTHING) {
            return NOTHING;
        }
        int a = Math.min(one, other);
        int b = Math.max(one, other);
        int slot = hash(a, b) & (table.length - 1);
        while (table[slot] != 0) {
            int node = table[slot] - 1;
            if (left[node] == a && right[node] == b) {
                return firstNode + node;
            }
            slot = slot + 1 & (table.length - 1);
        }
        if (nodes == left.length) {
            grow();
            return reduce(a, b);
        }
        left[nodes] = a;
        right[nodes] = b;
        table[slot] = ++nodes;
        return firstNode + nodes - 1;
    }

    private void grow() {
        left = Arrays.copyOf(left, 2 * left.length);
        right = Arrays.copyOf(right, 2 * right.length);
        table = new int[4 * left.length];
        for (int node = 0; node < nodes; node++) {
            int slot = hash(left[node], right[node]) & (table.length - 1);
            while (table[slot] != 0) {
                slot = slot + 1 & (table.length - 1);
            }
            table[slot] = node + 1;
        }
    }

    private static int hash(int a, int b) {
        long mixed = (a * 0x9E3779B97F4A7C15L + b) * 0xD6E8FEB86659FD93L;
        return (int) (mixed >>> 32);
    }

    /** Whether a value is the reduction over a cell of all ranks' inputs of a launch, each once. */
    boolean isReduction(int value, int launch, int cell) {
        if (value == NOTHING) {
            return false;
        }
        Integer known = complete.get(value);
        if (known != null) {
            return known == input(launch, 0, cell);
        }
        BitSet seen = new BitSet(ranks);
        Deque<Integer> open = new ArrayDeque<>();
        open.push(value);
        while (!open.isEmpty()) {
            int next = open.pop();
            if (!isInput(next)) {
                open.push(left[next - firstNode]);
                open.push(right[next - firstNode]);
            } else if (next != input(launch, rankOf(next), cell) || seen.get(rankOf(next))) {
                return false;
            } else {
                seen.set(rankOf(next));
            }
        }
        if (seen.cardinality() < ranks) {
            return false;
        }
        complete.put(value, input(launch, 0, cell));
        return true;
    }

    /**
     * A value in words.
     *
     * @param launch the launch that is looked at; inputs of others are called stale
     * @param cellsPerChunk cells of a chunk
     */
    String describe(int value, int launch, int cellsPerChunk) {
        if (value == NOTHING) {
            return "nothing that the launch has written";
        }
        Map<String, Map<Integer, Integer>> contributions = new TreeMap<>();
        Deque<Integer> open = new ArrayDeque<>();
        open.push(value);
        while (!open.isEmpty()) {
            int next = open.pop();
            if (isInput(next)) {
                String what = "input chunk " + cellOf(next) / cellsPerChunk
                        + (launchOf(next) == launch ? "" : " of an earlier launch");
                contributions.computeIfAbsent(what, _ -> new TreeMap<>()).merge(rankOf(next), 1, Integer::sum);
            } else {
                open.push(left[next - firstNode]);
                open.push(right[next - firstNode]);
            }
        }
        StringJoiner text = new StringJoiner(" and ");
        contributions.forEach((what, ranksOfIt) -> {
            StringJoiner list = new StringJoiner(", ");
            ranksOfIt.forEach((rank, times) -> list.add(times == 1 ? "" + rank : rank + " (" + times + " times)"));
            text.add(what + " of " + (ranksOfIt.size() == 1 ? "rank " : "ranks ") + list);
        });
        return text.toString();
    }
}
