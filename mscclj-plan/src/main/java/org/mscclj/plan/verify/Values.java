package org.mscclj.plan.verify;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Symbolic values. A value is nothing, one cell of one rank's input of one launch, or two values reduced. Equal
 * expressions are one value, so that equal numbers mean equal bits; all reductions commute, and {@code a + b} is
 * {@code b + a}, while {@code (a + b) + c} is not {@code a + (b + c)}. Nor are three values reduced by one operation
 * what two operations make of them: an operation rounds once, at its end.
 */
final class Values {
    /** What nobody has written: stale, foreign or poison. */
    static final int NOTHING = 0;

    private static final int FIRST_NODES = 1 << 10;

    private final int ranks;
    private final int cells;
    private final int firstNode;

    /** Of each reduction, the first value; inverted if the operation goes on, and has not rounded yet. */
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

    /** What one operation makes of some values, which it takes in their order; nothing, if one is nothing. */
    int reduce(int... inputs) {
        int value = inputs[0];
        for (int i = 1; i < inputs.length; i++) {
            value = reduce(value, inputs[i], i == inputs.length - 1);
        }
        return value;
    }

    /** Two values reduced, and rounded or not; nothing, if one is nothing. */
    private int reduce(int one, int other, boolean rounded) {
        if (one == NOTHING || other == NOTHING) {
            return NOTHING;
        }
        int smaller = Math.min(one, other);
        int a = rounded ? smaller : ~smaller;
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
            return reduce(one, other, rounded);
        }
        left[nodes] = a;
        right[nodes] = b;
        table[slot] = ++nodes;
        return firstNode + nodes - 1;
    }

    /** The first of the two values that were reduced. */
    private int leftOf(int value) {
        int one = left[value - firstNode];
        return one < 0 ? ~one : one;
    }

    private int rightOf(int value) {
        return right[value - firstNode];
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
                open.push(leftOf(next));
                open.push(rightOf(next));
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
        Map<String, Map<Integer, Long>> contributions = new TreeMap<>();
        NavigableMap<Integer, Long> open =
                new TreeMap<>(Map.of(value, 1L)); // how often each value is in it, the latest first
        while (!open.isEmpty()) {
            Map.Entry<Integer, Long> next = open.pollLastEntry();
            int one = next.getKey();
            long times = next.getValue();
            if (isInput(one)) {
                String what = "input chunk " + cellOf(one) / cellsPerChunk
                        + (launchOf(one) == launch ? "" : " of an earlier launch");
                contributions.computeIfAbsent(what, _ -> new TreeMap<>()).merge(rankOf(one), times, Values::sum);
            } else {
                open.merge(leftOf(one), times, Values::sum);
                open.merge(rightOf(one), times, Values::sum);
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

    /** Of numbers that double with each reduction. */
    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }
}
