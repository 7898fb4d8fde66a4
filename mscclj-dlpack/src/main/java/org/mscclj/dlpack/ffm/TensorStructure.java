package org.mscclj.dlpack.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;

/** Reads and writes a {@code DLTensor} in memory. */
final class TensorStructure {
    /** Size of the structure in bytes. */
    static final long BYTES = 48;

    static final long DATA = 0;
    static final long DEVICE_TYPE = 8;
    static final long DEVICE_ID = 12;
    static final long DIMENSIONS = 16;
    static final long CODE = 20;
    static final long BITS = 21;
    static final long LANES = 22;
    static final long SHAPE = 24;
    static final long STRIDES = 32;
    static final long BYTE_OFFSET = 40;

    /** More dimensions than any library supports; a larger number means that the memory is no tensor. */
    private static final int MAX_DIMENSIONS = 64;

    private TensorStructure() {}

    /**
     * Writes a structure.
     *
     * @param to destination of {@link #BYTES} bytes, zeroed
     * @param numbers memory for its shape, followed by its strides; must live as long as the structure
     */
    static void write(TensorFields fields, MemorySegment to, MemorySegment numbers) {
        long dimensions = fields.shape().size();
        to.set(JAVA_LONG, DATA, fields.data());
        to.set(JAVA_INT, DEVICE_TYPE, fields.deviceType());
        to.set(JAVA_INT, DEVICE_ID, fields.deviceId());
        to.set(JAVA_INT, DIMENSIONS, (int) dimensions);
        to.set(JAVA_BYTE, CODE, (byte) fields.typeCode());
        to.set(JAVA_BYTE, BITS, (byte) fields.bits());
        to.set(JAVA_SHORT, LANES, (short) fields.lanes());
        to.set(JAVA_LONG, BYTE_OFFSET, fields.byteOffset());
        put(fields.shape(), numbers);
        to.set(JAVA_LONG, SHAPE, numbers.address());
        fields.strides().ifPresent(strides -> {
            MemorySegment stridesTarget = numbers.asSlice(dimensions * Long.BYTES);
            put(strides, stridesTarget);
            to.set(JAVA_LONG, STRIDES, stridesTarget.address());
        });
    }

    private static void put(List<Long> values, MemorySegment to) {
        for (int i = 0; i < values.size(); i++) {
            to.setAtIndex(JAVA_LONG, i, values.get(i));
        }
    }

    /**
     * Reads a structure.
     *
     * @throws InvalidArgumentException if it cannot be a tensor
     */
    static TensorFields read(MemorySegment from) {
        int dimensions = from.get(JAVA_INT, DIMENSIONS);
        long shape = from.get(JAVA_LONG, SHAPE);
        if (dimensions < 0 || dimensions > MAX_DIMENSIONS) {
            throw InvalidArgumentException.of("dimensions of the tensor", dimensions, "0 to " + MAX_DIMENSIONS);
        }
        if (dimensions > 0 && shape == 0) {
            throw InvalidArgumentException.of("shape of the tensor", "null", "one, of " + dimensions + " dimensions");
        }
        long strides = from.get(JAVA_LONG, STRIDES);
        return new TensorFields(
                from.get(JAVA_LONG, DATA),
                from.get(JAVA_INT, DEVICE_TYPE),
                from.get(JAVA_INT, DEVICE_ID),
                Byte.toUnsignedInt(from.get(JAVA_BYTE, CODE)),
                Byte.toUnsignedInt(from.get(JAVA_BYTE, BITS)),
                Short.toUnsignedInt(from.get(JAVA_SHORT, LANES)),
                numbers(shape, dimensions),
                strides == 0 ? Optional.empty() : Optional.of(numbers(strides, dimensions)),
                from.get(JAVA_LONG, BYTE_OFFSET));
    }

    private static List<Long> numbers(long address, int count) {
        return Arrays.stream(at(address, (long) count * Long.BYTES).toArray(JAVA_LONG))
                .boxed()
                .toList();
    }

    /** Memory whose lifetime its owner controls. */
    @SuppressWarnings("restricted") // the purpose of this class
    static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
