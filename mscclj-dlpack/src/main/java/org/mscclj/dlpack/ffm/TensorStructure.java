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

/** A {@code DLTensor} in memory. */
final class TensorStructure {
    /** Its size. */
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

    /** More than any library has; what claims to have more is no tensor. */
    private static final int MAX_DIMENSIONS = 64;

    private TensorStructure() {}

    /**
     * Writes one.
     *
     * @param to {@link #BYTES} bytes, zeroed
     * @param numbers room for its shape and its strides, after each other; must live as long
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
            MemorySegment room = numbers.asSlice(dimensions * Long.BYTES);
            put(strides, room);
            to.set(JAVA_LONG, STRIDES, room.address());
        });
    }

    private static void put(List<Long> values, MemorySegment to) {
        for (int i = 0; i < values.size(); i++) {
            to.setAtIndex(JAVA_LONG, i, values.get(i));
        }
    }

    /**
     * Reads one.
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

    /** Memory that lives as long as its owner says. */
    @SuppressWarnings("restricted") // what this class is for
    static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
