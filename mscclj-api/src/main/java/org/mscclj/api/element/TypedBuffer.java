package org.mscclj.api.element;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Objects;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/**
 * Device memory that consists of elements of one type. It is a view of a {@link DeviceBuffer}: offsets and sizes there
 * are bytes, here they are elements. The view has no memory of its own, and closing it closes the buffer.
 *
 * <p>An array fits if its elements have the size and meaning of the type: {@code float[]} for {@code float32},
 * {@code double[]} for {@code float64}, {@code int[]} and {@code long[]} for integers of 32 and 64 bits,
 * {@code short[]} for integers of 16 bits and for {@code float16} and {@code bfloat16} as bits, {@code byte[]} for
 * integers of 8 bits and for fp8 as bits. The rule also holds for NIO buffers; a {@link ByteBuffer} also holds whole
 * elements of any type. Nothing is converted: {@link DataType#encode(double)} and {@link DataType#decode} convert
 * single elements.
 *
 * <p>Copies block until they are done. They copy exactly {@link #count} elements; {@link #slice} and {@link #part} copy
 * fewer. Safe for use by several threads, as the buffer is.
 */
public final class TypedBuffer implements AutoCloseable {
    private static final int FILL_BYTES = 1 << 20;

    private final DeviceBuffer bytes;
    private final DataType type;

    private TypedBuffer(DeviceBuffer bytes, DataType type) {
        this.bytes = bytes;
        this.type = type;
    }

    /**
     * A view of a buffer.
     *
     * @param bytes the memory, for example a slice of memory of {@link org.mscclj.api.Communicator#allocate(long)}
     * @throws InvalidArgumentException if the buffer does not hold whole elements, or does not begin at a multiple of
     *     the element's size
     */
    public static TypedBuffer of(DeviceBuffer bytes, DataType type) {
        Objects.requireNonNull(bytes, "bytes");
        Objects.requireNonNull(type, "type");
        if (bytes.byteSize() % type.byteSize() != 0) {
            throw InvalidArgumentException.of(
                    "buffer", bytes.byteSize() + " bytes", "a multiple of " + type.byteSize() + " for " + type);
        }
        if (bytes.byteSize() > 0 && bytes.address() % type.byteSize() != 0) {
            throw InvalidArgumentException.of(
                    "buffer",
                    "at address 0x" + Long.toHexString(bytes.address()),
                    "an address that is a multiple of " + type.byteSize() + " for " + type);
        }
        return new TypedBuffer(bytes, type);
    }

    /**
     * Allocates zeroed memory of a device, as {@link Device#allocate} does, for elements of a type.
     *
     * @param count number of elements, 0 or more
     * @throws InvalidArgumentException if the number is negative
     * @throws org.mscclj.api.error.BackendException if there is not enough memory
     */
    public static TypedBuffer allocate(Device device, DataType type, long count) {
        Objects.requireNonNull(device, "device");
        return of(device.allocate(bytesOf(type, count)), type);
    }

    /**
     * Size of elements, in bytes. A number of elements that exceeds any memory results in a size that exceeds any
     * memory, so that the allocation refuses it, on all ranks if it is collective.
     *
     * @param count number of elements; a negative number results in a negative size
     */
    public static long bytesOf(DataType type, long count) {
        Objects.requireNonNull(type, "type");
        long most = Long.MAX_VALUE / type.byteSize();
        return count > most ? Long.MAX_VALUE : Math.max(count, -most) * type.byteSize();
    }

    /** The memory as bytes: for calls that take a {@link DeviceBuffer}. */
    public DeviceBuffer bytes() {
        return bytes;
    }

    /** Type of the elements. */
    public DataType type() {
        return type;
    }

    /** Number of elements. */
    public long count() {
        return bytes.byteSize() / type.byteSize();
    }

    /**
     * Returns a part of this buffer. The result shares the memory, and closing it does nothing.
     *
     * @param offset the first element
     * @param count number of elements
     * @throws InvalidArgumentException if the part is not inside this buffer
     */
    public TypedBuffer slice(long offset, long count) {
        if (offset < 0 || count < 0 || offset > count() - count) {
            throw InvalidArgumentException.of(
                    "slice", count + " elements from element " + offset, "a range inside " + count() + " elements");
        }
        return new TypedBuffer(bytes.slice(offset * type.byteSize(), count * type.byteSize()), type);
    }

    /**
     * Returns one of several parts of equal size, such as the part of a rank in a buffer that holds one part for each
     * rank.
     *
     * @param index index of the part, from 0; in such a buffer, the rank
     * @param of number of parts
     * @throws InvalidArgumentException if there is no such part, or the elements cannot be divided equally
     */
    public TypedBuffer part(int index, int of) {
        if (of < 1 || count() % of != 0) {
            throw InvalidArgumentException.of(
                    "number of parts", of, "1 or more, and a divisor of " + count() + " elements");
        }
        if (index < 0 || index >= of) {
            throw InvalidArgumentException.of("part", index, "0 to " + (of - 1));
        }
        long each = count() / of;
        return slice(index * each, each);
    }

    /**
     * Sets every element to a number, as {@link DataType#encode(double)} encodes it.
     *
     * @throws InvalidArgumentException if the type has no such element; the buffer does not change
     */
    public void fill(double value) {
        fillBits(type.encode(value));
    }

    /**
     * Sets every element to a whole number, as {@link DataType#encode(long)} encodes it.
     *
     * @throws InvalidArgumentException if the type has no such element; the buffer does not change
     */
    public void fill(long value) {
        fillBits(type.encode(value));
    }

    private void fillBits(long bits) {
        byte[] pattern = new byte[(int) Math.min(FILL_BYTES, bytes.byteSize())];
        ByteBuffer elements = ByteBuffer.wrap(pattern).order(ByteOrder.nativeOrder());
        while (elements.hasRemaining()) {
            switch (type.byteSize()) {
                case 1 -> elements.put((byte) bits);
                case 2 -> elements.putShort((short) bits);
                case 4 -> elements.putInt((int) bits);
                default -> elements.putLong(bits);
            }
        }
        MemorySegment filled = MemorySegment.ofArray(pattern);
        for (long done = 0; done < bytes.byteSize(); done += pattern.length) {
            long size = Math.min(pattern.length, bytes.byteSize() - done);
            bytes.slice(done, size).copyFrom(filled.asSlice(0, size));
        }
    }

    /**
     * Copies an NIO buffer's remaining elements into this buffer. The position of the NIO buffer does not change.
     *
     * @param source in native byte order, direct or not
     * @throws InvalidArgumentException if its number of elements differs, its elements are not of this type, or its
     *     byte order is not the machine's
     */
    public void copyFrom(Buffer source) {
        bytes.copyFrom(segmentOf(source, "source"));
    }

    /**
     * Copies this buffer into an NIO buffer's remaining elements. The position of the NIO buffer does not change.
     *
     * @param destination in native byte order, direct or not
     * @throws InvalidArgumentException if its number of elements differs, its elements are not of this type, its byte
     *     order is not the machine's, or it is read-only
     */
    public void copyTo(Buffer destination) {
        MemorySegment segment = segmentOf(destination, "destination");
        if (destination.isReadOnly()) {
            throw InvalidArgumentException.of("destination", "a read-only buffer", "a buffer that can be written");
        }
        bytes.copyTo(segment);
    }

    /**
     * Copies a whole array into this buffer.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyFrom(float[] source) {
        bytes.copyFrom(
                whole(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.FLOAT, "source"));
    }

    /**
     * Copies {@link #count} elements of an array into this buffer.
     *
     * @param from the array's first element that is copied
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyFrom(float[] source, int from) {
        bytes.copyFrom(
                range(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.FLOAT, "source", from));
    }

    /**
     * Copies this buffer into a whole array.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyTo(float[] destination) {
        bytes.copyTo(whole(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.FLOAT,
                "destination"));
    }

    /**
     * Copies this buffer into a part of an array.
     *
     * @param from the array's first element that is written
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyTo(float[] destination, int from) {
        bytes.copyTo(range(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.FLOAT,
                "destination",
                from));
    }

    /**
     * The elements, in a new array.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code float}, or too many for an array
     */
    public float[] toFloatArray() {
        float[] copy = new float[arrayLength(Elements.FLOAT)];
        copyTo(copy);
        return copy;
    }

    /**
     * Copies a whole array into this buffer.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyFrom(double[] source) {
        bytes.copyFrom(
                whole(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.DOUBLE, "source"));
    }

    /**
     * Copies {@link #count} elements of an array into this buffer.
     *
     * @param from the array's first element that is copied
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyFrom(double[] source, int from) {
        bytes.copyFrom(range(
                MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.DOUBLE, "source", from));
    }

    /**
     * Copies this buffer into a whole array.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyTo(double[] destination) {
        bytes.copyTo(whole(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.DOUBLE,
                "destination"));
    }

    /**
     * Copies this buffer into a part of an array.
     *
     * @param from the array's first element that is written
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyTo(double[] destination, int from) {
        bytes.copyTo(range(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.DOUBLE,
                "destination",
                from));
    }

    /**
     * The elements, in a new array.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code double}, or too many for an array
     */
    public double[] toDoubleArray() {
        double[] copy = new double[arrayLength(Elements.DOUBLE)];
        copyTo(copy);
        return copy;
    }

    /**
     * Copies a whole array into this buffer.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyFrom(int[] source) {
        bytes.copyFrom(whole(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.INT, "source"));
    }

    /**
     * Copies {@link #count} elements of an array into this buffer.
     *
     * @param from the array's first element that is copied
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyFrom(int[] source, int from) {
        bytes.copyFrom(
                range(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.INT, "source", from));
    }

    /**
     * Copies this buffer into a whole array.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyTo(int[] destination) {
        bytes.copyTo(whole(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.INT,
                "destination"));
    }

    /**
     * Copies this buffer into a part of an array.
     *
     * @param from the array's first element that is written
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyTo(int[] destination, int from) {
        bytes.copyTo(range(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.INT,
                "destination",
                from));
    }

    /**
     * The elements, in a new array.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code int}, or too many for an array
     */
    public int[] toIntArray() {
        int[] copy = new int[arrayLength(Elements.INT)];
        copyTo(copy);
        return copy;
    }

    /**
     * Copies a whole array into this buffer.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyFrom(long[] source) {
        bytes.copyFrom(whole(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.LONG, "source"));
    }

    /**
     * Copies {@link #count} elements of an array into this buffer.
     *
     * @param from the array's first element that is copied
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyFrom(long[] source, int from) {
        bytes.copyFrom(
                range(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.LONG, "source", from));
    }

    /**
     * Copies this buffer into a whole array.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyTo(long[] destination) {
        bytes.copyTo(whole(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.LONG,
                "destination"));
    }

    /**
     * Copies this buffer into a part of an array.
     *
     * @param from the array's first element that is written
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyTo(long[] destination, int from) {
        bytes.copyTo(range(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.LONG,
                "destination",
                from));
    }

    /**
     * The elements, in a new array.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code long}, or too many for an array
     */
    public long[] toLongArray() {
        long[] copy = new long[arrayLength(Elements.LONG)];
        copyTo(copy);
        return copy;
    }

    /**
     * Copies a whole array into this buffer.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyFrom(short[] source) {
        bytes.copyFrom(
                whole(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.SHORT, "source"));
    }

    /**
     * Copies {@link #count} elements of an array into this buffer.
     *
     * @param from the array's first element that is copied
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyFrom(short[] source, int from) {
        bytes.copyFrom(
                range(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.SHORT, "source", from));
    }

    /**
     * Copies this buffer into a whole array.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyTo(short[] destination) {
        bytes.copyTo(whole(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.SHORT,
                "destination"));
    }

    /**
     * Copies this buffer into a part of an array.
     *
     * @param from the array's first element that is written
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyTo(short[] destination, int from) {
        bytes.copyTo(range(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.SHORT,
                "destination",
                from));
    }

    /**
     * The elements, in a new array.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code short}, or too many for an array
     */
    public short[] toShortArray() {
        short[] copy = new short[arrayLength(Elements.SHORT)];
        copyTo(copy);
        return copy;
    }

    /**
     * Copies a whole array into this buffer.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyFrom(byte[] source) {
        bytes.copyFrom(whole(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.BYTE, "source"));
    }

    /**
     * Copies {@link #count} elements of an array into this buffer.
     *
     * @param from the array's first element that is copied
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyFrom(byte[] source, int from) {
        bytes.copyFrom(
                range(MemorySegment.ofArray(Objects.requireNonNull(source, "source")), Elements.BYTE, "source", from));
    }

    /**
     * Copies this buffer into a whole array.
     *
     * @throws InvalidArgumentException if it does not have {@link #count} elements, or they are not of this type
     */
    public void copyTo(byte[] destination) {
        bytes.copyTo(whole(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.BYTE,
                "destination"));
    }

    /**
     * Copies this buffer into a part of an array.
     *
     * @param from the array's first element that is written
     * @throws InvalidArgumentException if the array has fewer elements from there on, or they are not of this type
     */
    public void copyTo(byte[] destination, int from) {
        bytes.copyTo(range(
                MemorySegment.ofArray(Objects.requireNonNull(destination, "destination")),
                Elements.BYTE,
                "destination",
                from));
    }

    /**
     * The elements, in a new array.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code byte}, or too many for an array
     */
    public byte[] toByteArray() {
        byte[] copy = new byte[arrayLength(Elements.BYTE)];
        copyTo(copy);
        return copy;
    }

    /**
     * A view of the memory itself, in native byte order. The view becomes invalid when the buffer is closed.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code float}, or too many for such a buffer
     * @throws org.mscclj.api.error.UnsupportedException if the host cannot access the memory; use a copy
     */
    public FloatBuffer asFloatBuffer() {
        var _ = arrayLength(Elements.FLOAT);
        return bytes.segment().asByteBuffer().order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    /**
     * A view of the memory itself, in native byte order. The view becomes invalid when the buffer is closed.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code double}, or too many for such a buffer
     * @throws org.mscclj.api.error.UnsupportedException if the host cannot access the memory; use a copy
     */
    public DoubleBuffer asDoubleBuffer() {
        var _ = arrayLength(Elements.DOUBLE);
        return bytes.segment().asByteBuffer().order(ByteOrder.nativeOrder()).asDoubleBuffer();
    }

    /**
     * A view of the memory itself, in native byte order. The view becomes invalid when the buffer is closed.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code int}, or too many for such a buffer
     * @throws org.mscclj.api.error.UnsupportedException if the host cannot access the memory; use a copy
     */
    public IntBuffer asIntBuffer() {
        var _ = arrayLength(Elements.INT);
        return bytes.segment().asByteBuffer().order(ByteOrder.nativeOrder()).asIntBuffer();
    }

    /**
     * A view of the memory itself, in native byte order. The view becomes invalid when the buffer is closed.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code long}, or too many for such a buffer
     * @throws org.mscclj.api.error.UnsupportedException if the host cannot access the memory; use a copy
     */
    public LongBuffer asLongBuffer() {
        var _ = arrayLength(Elements.LONG);
        return bytes.segment().asByteBuffer().order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    /**
     * A view of the memory itself, in native byte order. The view becomes invalid when the buffer is closed.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code short}, or too many for such a buffer
     * @throws org.mscclj.api.error.UnsupportedException if the host cannot access the memory; use a copy
     */
    public ShortBuffer asShortBuffer() {
        var _ = arrayLength(Elements.SHORT);
        return bytes.segment().asByteBuffer().order(ByteOrder.nativeOrder()).asShortBuffer();
    }

    /**
     * A view of the memory itself, in native byte order. The view becomes invalid when the buffer is closed.
     *
     * @throws InvalidArgumentException if the type's elements are not {@code byte}, or too many for such a buffer
     * @throws org.mscclj.api.error.UnsupportedException if the host cannot access the memory; use a copy
     */
    public ByteBuffer asByteBuffer() {
        var _ = arrayLength(Elements.BYTE);
        return bytes.segment().asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** Closes the buffer; see {@link DeviceBuffer#close}. */
    @Override
    public void close() {
        bytes.close();
    }

    /** For example {@code 1000 float32 elements}. */
    @Override
    public String toString() {
        return count() + " " + type + " elements";
    }

    private MemorySegment whole(MemorySegment array, Elements elements, String what) {
        elements.require(type);
        if (array.byteSize() != bytes.byteSize()) {
            throw InvalidArgumentException.of(
                    what,
                    array.byteSize() / type.byteSize() + " elements",
                    count() + " elements, like the buffer; copy a slice of the buffer, or name the first element");
        }
        return array;
    }

    private MemorySegment range(MemorySegment array, Elements elements, String what, int from) {
        elements.require(type);
        long length = array.byteSize() / type.byteSize();
        if (from < 0 || from > length - count()) {
            throw InvalidArgumentException.of(
                    what,
                    count() + " elements from element " + from,
                    "a range inside the array's " + length + " elements; copy a slice of the buffer to copy fewer");
        }
        return array.asSlice((long) from * type.byteSize(), bytes.byteSize());
    }

    private MemorySegment segmentOf(Buffer buffer, String what) {
        Elements elements = Elements.of(Objects.requireNonNull(buffer, what), what);
        if (elements != Elements.BYTE) { // bytes hold elements of any type
            elements.require(type);
        }
        if (elements.orderOf(buffer) != ByteOrder.nativeOrder() && type.byteSize() > 1) {
            throw InvalidArgumentException.of(
                    what,
                    elements.orderOf(buffer) + " order",
                    ByteOrder.nativeOrder() + " order, as the machine's; call order(ByteOrder.nativeOrder()) of the"
                            + " ByteBuffer before it is written");
        }
        return whole(
                MemorySegment.ofBuffer(buffer), elements == Elements.BYTE ? Elements.ofType(type) : elements, what);
    }

    private int arrayLength(Elements elements) {
        elements.require(type);
        if (count() > Integer.MAX_VALUE - 8) { // the length of the largest arrays
            throw InvalidArgumentException.of(
                    "buffer", this, "at most " + (Integer.MAX_VALUE - 8) + " elements; copy slices of it");
        }
        return (int) count();
    }
}
