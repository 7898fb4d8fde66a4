package org.mscclj.analysis.verify.machine;

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
 * Symbolic values. A value is nothing, one cell of one rank's input of one launch, or the reduction of two values.
 * Equal expressions have one number, so equal numbers mean equal bits. All reductions commute: {@code a + b} equals
 * {@code b + a}, while {@code (a + b) + c} differs from {@code a + (b + c)}. A reduction of three values by one
 * operation differs from a reduction by two operations, because an operation rounds once, at its end.
 */
final class Values {
    /** The value of a cell without a write: stale, foreign or poison. */
    static final int NOTHING = 0;

    private static final int FIRST_NODES = 1 << 10;

    private final int ranks;
    private final int cells;
    private final int firstNode;

    /** The first operand of each reduction; inverted if the operation continues and has not rounded yet. */
    private int[] left = new int[FIRST_NODES];

    private int[] right = new int[FIRST_NODES];
    private int nodes;
    private int[] table = new int[4 * FIRST_NODES];

    /** Complete reductions, with their cell. */
    private final Map<Integer, Integer> complete = new HashMap<>();

    /**
     * Creates the values of some launches.
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

    /** A cell of an input in a launch. */
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

    /** The reduction of values by one operation, in their order; nothing if one of them is nothing. */
    int reduce(int... inputs) {
        int value = inputs[0];
        for (int i = 1; i < inputs.length; i++) {
            value = reduce(value, inputs[i], i == inputs.length - 1);
        }
        return value;
    }

    /** The reduction of two values, rounded or not; nothing if one of them is nothing. */
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

    /** The first operand of a reduction. */
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
        Integer clock = complete.get(value);
        if (clock != null) {
            return clock == input(launch, 0, cell);
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
     * Describes a value.
     *
     * @param launch the launch under check; inputs of other launches are called stale
     * @param cellsPerChunk cells of a chunk
     */
    String describe(int value, int launch, int cellsPerChunk) {
        if (value == NOTHING) {
            return "nothing that the launch has written";
        }
        Map<String, Map<Integer, Long>> contributions = new TreeMap<>();
        NavigableMap<Integer, Long> open =
                new TreeMap<>(Map.of(value, 1L)); // occurrences of each value, the latest first
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

    /** The saturated sum of numbers that double with each reduction. */
    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }
}
