package org.mscclj.dlpack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/**
 * The layout of a tensor's elements in memory. Immutable.
 *
 * @param type type of the elements
 * @param shape size of each dimension, 0 or more; empty for a single element
 * @param strides for each dimension, the distance between adjacent elements, in elements: 0 or more; ignored in
 *     dimensions with fewer than two elements
 */
public record TensorLayout(DataType type, List<Long> shape, List<Long> strides) {
    /** Greatest number of dimensions. */
    public static final int MAX_DIMENSIONS = 64;

    /**
     * Creates a layout with any strides.
     *
     * @throws InvalidArgumentException if the number of strides differs from that of dimensions, if a size is negative,
     *     if a stride is negative in a dimension of two elements or more, or if the tensor has more than 2⁶³ bytes
     */
    public TensorLayout {
        Objects.requireNonNull(type, "type");
        shape = List.copyOf(Objects.requireNonNull(shape, "shape"));
        strides = List.copyOf(Objects.requireNonNull(strides, "strides"));
        if (shape.size() > MAX_DIMENSIONS || shape.stream().anyMatch(size -> size < 0)) {
            throw InvalidArgumentException.of(
                    "shape", shape, "at most " + MAX_DIMENSIONS + " dimensions, each of size 0 or more");
        }
        if (strides.size() != shape.size() || goesBack(shape, strides)) {
            throw InvalidArgumentException.of(
                    "strides",
                    strides + ", for shape " + shape,
                    "one for each of the " + shape.size()
                            + " dimensions, 0 elements or more where a dimension has two elements or more");
        }
        try {
            long _ = span(type, shape, strides);
            long _ = elements(shape);
        } catch (ArithmeticException e) {
            throw new InvalidArgumentException(
                    "shape is " + shape + " with strides " + strides + "; allowed: less than 2^63 bytes", e);
        }
    }

    /**
     * Strides matter only between adjacent elements: software stores arbitrary values in dimensions with fewer than
     * two.
     */
    private static boolean goesBack(List<Long> shape, List<Long> strides) {
        return !shape.contains(0L)
                && IntStream.range(0, shape.size())
                        .anyMatch(dimension -> shape.get(dimension) > 1 && strides.get(dimension) < 0);
    }

    /**
     * The layout without gaps in C order: the last dimension is contiguous.
     *
     * @param shape sizes of the dimensions
     */
    public static TensorLayout contiguous(DataType type, long... shape) {
        return contiguous(
                type,
                Arrays.stream(Objects.requireNonNull(shape, "shape")).boxed().toList());
    }

    /** {@link #contiguous(DataType, long...)} with a list of sizes. */
    public static TensorLayout contiguous(DataType type, List<Long> shape) {
        try {
            return new TensorLayout(type, shape, cOrder(Objects.requireNonNull(shape, "shape")));
        } catch (ArithmeticException e) {
            throw new InvalidArgumentException("shape is " + shape + "; allowed: less than 2^63 bytes", e);
        }
    }

    private static List<Long> cOrder(List<Long> shape) {
        List<Long> strides = new ArrayList<>();
        long stride = 1;
        for (long size : shape.reversed()) {
            strides.add(stride);
            stride = Math.multiplyExact(stride, Math.max(size, 1));
        }
        Collections.reverse(strides);
        return strides;
    }

    /** Number of elements. */
    public long elements() {
        return elements(shape);
    }

    private static long elements(List<Long> shape) {
        return shape.contains(0L) ? 0 : shape.stream().reduce(1L, Math::multiplyExact);
    }

    /** Bytes from the first element to the end of the last one, including gaps. */
    public long byteSpan() {
        return span(type, shape, strides);
    }

    private static long span(DataType type, List<Long> shape, List<Long> strides) {
        if (shape.contains(0L)) {
            return 0;
        }
        long last = 0;
        for (int dimension = 0; dimension < shape.size(); dimension++) {
            last = Math.addExact(last, Math.multiplyExact(shape.get(dimension) - 1, strides.get(dimension)));
        }
        return Math.multiplyExact(Math.addExact(last, 1), type.byteSize());
    }

    /** Whether the elements fill their memory without gaps and overlaps, in any order of dimensions. */
    public boolean isDense() {
        List<Integer> inner = IntStream.range(0, shape.size())
                .filter(dimension -> shape.get(dimension) != 1)
                .boxed()
                .sorted(Comparator.comparing(strides::get))
                .toList();
        long expected = 1;
        for (int dimension : inner) {
            if (strides.get(dimension) != expected) {
                return elements() == 0;
            }
            expected *= shape.get(dimension);
        }
        return true;
    }

    /** Whether the elements are {@linkplain #isDense dense} and in C order. */
    public boolean isContiguous() {
        if (elements() == 0) {
            return true; // and the strides of a shape without elements may overflow
        }
        List<Long> expected = cOrder(shape);
        return IntStream.range(0, shape.size())
                .allMatch(dimension ->
                        shape.get(dimension) == 1 || strides.get(dimension).equals(expected.get(dimension)));
    }
}
