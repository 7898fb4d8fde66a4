package org.mscclj.conformance.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.Pairwise;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Capabilities;

/**
 * The values from which cases are made.
 *
 * @param mode where the ranks live
 * @param capabilities what the backend declares
 * @param depth how many cases are tried
 * @param given the numbers of ranks to try; if empty, the depth determines them
 * @param seed seed of inputs and of the sample
 */
public record Scope(Mode mode, Capabilities capabilities, Depth depth, List<Integer> given, long seed) {
    /** Copies the list. */
    public Scope {
        given = given.stream().distinct().sorted().toList();
    }

    /** The collectives that a communicator has calls for. */
    static final List<Collective> COLLECTIVES = List.of(
            Collective.ALLREDUCE,
            Collective.REDUCESCATTER,
            Collective.ALLGATHER,
            Collective.BROADCAST,
            Collective.ALLTOALL,
            Collective.REDUCE,
            Collective.SCATTER,
            Collective.GATHER);

    private static final List<Integer> WORLDS = List.of(1, 2, 3, 5, 7, 8, 11, 16);

    /** The processes of all ranks of each world have to fit on a small machine. */
    private static final List<Integer> WORLDS_OF_PROCESSES = List.of(1, 2, 3, 5);

    private static final int QUICK_WORLD = 5;
    private static final long QUICK_COUNT = 1025;
    private static final long SAMPLE_BYTES = 48L << 20;
    private static final long FULL_BYTES = 1L << 30;

    /** Returns the numbers of ranks to try, ascending. */
    List<Integer> worlds() {
        if (!given.isEmpty()) {
            return given.stream()
                    .filter(world -> world <= capabilities.maxRanks())
                    .toList();
        }
        List<Integer> worlds = mode.isOfProcesses() && depth != Depth.FULL ? WORLDS_OF_PROCESSES : WORLDS;
        int most = depth == Depth.QUICK ? QUICK_WORLD : Integer.MAX_VALUE;
        return worlds.stream()
                .filter(world -> world <= Math.min(most, capabilities.maxRanks()))
                .toList();
    }

    /** Returns two numbers of ranks, a small and a larger one; the given ones, if there are any. */
    List<Integer> fewWorlds() {
        return given.isEmpty()
                ? worlds().stream().filter(world -> world == 2 || world == 5).toList()
                : worlds().stream().filter(world -> world > 1).toList();
    }

    /** Returns the number of ranks for rules about other properties: the largest given one, if there are any. */
    int usualWorld() {
        int world = given.isEmpty() ? 3 : given.getLast();
        return Math.min(world, capabilities.maxRanks());
    }

    /** Returns the counts to try on a number of ranks. */
    List<Long> counts(int world) {
        return Stream.of(0L, 1L, 3L, world - 1L, (long) world, world + 1L, 1023L, 1024L, 1025L, 65_535L, (1L << 20) + 1)
                .distinct()
                .filter(count -> depth != Depth.QUICK || count <= QUICK_COUNT)
                .toList();
    }

    /** Returns the type for rules about other properties. */
    DataType usualType() {
        return Stream.of(DataType.FLOAT32, DataType.INT32, DataType.FLOAT64, DataType.INT64)
                .filter(capabilities.dataTypes()::contains)
                .findFirst()
                .orElseGet(() -> types().getFirst());
    }

    /** Returns the declared types. */
    List<DataType> types() {
        return Stream.of(DataType.values())
                .filter(capabilities.dataTypes()::contains)
                .toList();
    }

    /** Returns the case that rules start from. */
    TestCase usual(String rule) {
        return TestCase.of(rule, mode, usualWorld(), usualType(), seed);
    }

    /**
     * Returns a dimension of the grid: for each value, the change that it makes to a case.
     *
     * @param set sets the value in a case
     */
    static <T> List<UnaryOperator<TestCase>> over(List<T> values, BiFunction<TestCase, T, TestCase> set) {
        return values.stream()
                .<UnaryOperator<TestCase>>map(value -> test -> set.apply(test, value))
                .toList();
    }

    /**
     * Returns combinations of values: all of them if the depth is full, otherwise enough that every pair of values
     * occurs. There are none if a dimension has no values.
     *
     * @param start the case that receives one value of each dimension, in order
     */
    @SafeVarargs
    final List<TestCase> combine(TestCase start, List<UnaryOperator<TestCase>>... dimensions) {
        List<TestCase> cases = new ArrayList<>();
        int[] sizes = new int[dimensions.length];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = dimensions[i].size();
            if (sizes[i] == 0) {
                return cases;
            }
        }
        for (int[] row : depth == Depth.FULL ? product(sizes) : Pairwise.rows(sizes, seed)) {
            TestCase test = start;
            for (int i = 0; i < row.length; i++) {
                test = dimensions[i].get(row[i]).apply(test);
            }
            if (test.memoryBytes() <= (depth == Depth.FULL ? FULL_BYTES : SAMPLE_BYTES)
                    && test.op().kind().supports(test.type())) {
                cases.add(test);
            }
        }
        return cases;
    }

    private static List<int[]> product(int[] sizes) {
        List<int[]> rows = new ArrayList<>();
        int[] row = new int[sizes.length];
        while (true) {
            rows.add(row.clone());
            int d = 0;
            while (d < row.length && ++row[d] == sizes[d]) {
                row[d++] = 0;
            }
            if (d == row.length) {
                return rows;
            }
        }
    }
}
