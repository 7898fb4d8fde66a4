package org.mscclj.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.reduce.ReduceKernel;
import org.mscclj.backend.host.kernel.variant.VectorSupport;

/**
 * Compares Java reductions with C loops in one process on the same buffers.
 *
 * <p>On a shared machine, clock rate and caches vary from second to second, and other processes use the processor.
 * Therefore both take turns of a few milliseconds, the thread's processor time counts, and the ratio is the median of
 * the ratios of adjacent turns. A call of a C loop costs a few nanoseconds.
 */
public final class ReduceComparison {
    private static final List<DataType> TYPES =
            List.of(DataType.FLOAT32, DataType.FLOAT64, DataType.INT32, DataType.FLOAT16, DataType.BFLOAT16);
    private static final long[] SIZES = {16 << 10, 64 << 10, 64 << 20};
    private static final int[] SOURCES = {2, 4};
    private static final int ROUNDS = Integer.getInteger("rounds", 41);

    private ReduceComparison() {}

    /** Prints the table; arguments: the path of the library with the C loops, then the types if not all. */
    public static void main(String[] arguments) {
        System.out.printf(
                Locale.ROOT,
                "%-9s %-7s %-10s %9s %9s %6s%n",
                "type",
                "sources",
                "operand",
                "Java GB/s",
                "C GB/s",
                "ratio");
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup library = SymbolLookup.libraryLookup(Path.of(arguments[0]), arena);
            for (long size : SIZES) {
                // Operands a page and some cache lines apart; otherwise all would map to the same cache sets.
                MemorySegment[] operands = new MemorySegment[5];
                MemorySegment all = arena.allocate(operands.length * (size + 4096 + 320), 4096);
                for (int i = 0; i < operands.length; i++) {
                    operands[i] = all.asSlice(i * (size + 4096 + 320), size);
                }
                for (DataType type : TYPES) {
                    if (arguments.length > 1 && !Arrays.asList(arguments).contains(type.label())) {
                        continue;
                    }
                    for (int count : SOURCES) {
                        compare(library, type, count, size, operands);
                    }
                }
            }
        }
    }

    private static void compare(SymbolLookup library, DataType type, int count, long size, MemorySegment[] operands) {
        for (int i = 1; i <= count; i++) {
            fill(type, operands[i]);
        }
        long destination = operands[0].address();
        long[] sources = Arrays.stream(operands, 1, 1 + count)
                .mapToLong(MemorySegment::address)
                .toArray();
        ReduceKernel kernel = ReduceKernel.of(type, ReduceOp.Kind.SUM);
        Runnable java = count == 2
                ? () -> kernel.reduce(destination, sources[0], sources[1], size)
                : () -> kernel.reduce(destination, sources, count, size);
        Runnable c = CLoop.sum(library, type, destination, sources, size / type.byteSize());

        c.run();
        MemorySegment expected = Arena.ofAuto().allocate(size).copyFrom(operands[0]);
        java.run();
        if (expected.mismatch(operands[0]) >= 0) {
            throw new AssertionError("Java and C differ for " + type);
        }

        for (long done = 0; done <= VectorSupport.BYTES_BEFORE_VECTORS; done += size) {
            java.run();
        }
        VectorSupport.awaitWarmUp();
        ProcessorTime.Pair pair = ProcessorTime.compare(java, c, ROUNDS);
        double moved = (count + 1.0) * size;
        System.out.printf(
                Locale.ROOT,
                "%-9s %7d %7d KiB %9.1f %9.1f %6.2f%n",
                type,
                count,
                size >> 10,
                moved / pair.firstNanos(),
                moved / pair.secondNanos(),
                pair.ratio());
    }

    /** Fills an operand with small numbers of both signs, all normal. */
    static void fill(DataType type, MemorySegment operand) {
        for (long i = 0; i < operand.byteSize() / type.byteSize(); i++) {
            int value = (int) (i * 7 % 61) - 30;
            switch (type) {
                case FLOAT64 -> operand.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
                case FLOAT32 -> operand.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
                case FLOAT16 -> operand.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(value));
                case BFLOAT16 ->
                    operand.setAtIndex(
                            ValueLayout.JAVA_SHORT, i, (short) (Float.floatToRawIntBits(value) >>> Short.SIZE));
                default -> operand.setAtIndex(ValueLayout.JAVA_INT, i, value);
            }
        }
    }
}
