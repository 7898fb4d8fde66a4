package org.mscclj.api.element;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.FloatBuffer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

class TypedBufferTest {
    private static TypedBuffer of(DataType type, long count) {
        return TypedBuffer.of(HeapBuffer.of(count * type.byteSize()), type);
    }

    private static String refusal(Executable call) {
        return String.valueOf(assertThrows(InvalidArgumentException.class, call).getMessage());
    }

    @Test
    void countsElements() {
        TypedBuffer buffer = of(DataType.BFLOAT16, 6);
        assertEquals(6, buffer.count());
        assertEquals(12, buffer.bytes().byteSize());
        assertEquals("6 bfloat16 elements", buffer.toString());
        assertEquals(buffer.bytes().address() + 8, buffer.slice(4, 2).bytes().address());
        assertEquals(buffer.bytes().address() + 4, buffer.part(1, 3).bytes().address());
        assertEquals(2, buffer.part(1, 3).count());
        assertEquals(DataType.BFLOAT16, buffer.part(0, 1).type());
    }

    @Test
    void refusesWhatIsNotThere() {
        TypedBuffer buffer = of(DataType.INT32, 6);
        assertEquals(
                "slice is 3 elements from element 4; allowed: a range inside 6 elements",
                refusal(() -> buffer.slice(4, 3)));
        assertEquals(
                "number of parts is 4; allowed: 1 or more, and a divisor of 6 elements",
                refusal(() -> buffer.part(0, 4)));
        assertEquals("part is 3; allowed: 0 to 2", refusal(() -> buffer.part(3, 3)));
        assertEquals(
                "buffer is 7 bytes; allowed: a multiple of 4 for float32",
                refusal(() -> TypedBuffer.of(HeapBuffer.of(7), DataType.FLOAT32)));
        DeviceBuffer odd = HeapBuffer.of(16).slice(1, 8);
        assertEquals(
                "buffer is at address 0x" + Long.toHexString(odd.address())
                        + "; allowed: an address that is a multiple of 8 for int64",
                refusal(() -> TypedBuffer.of(odd, DataType.INT64)));
    }

    @Test
    void copiesArraysWholeAndInPart() {
        TypedBuffer buffer = of(DataType.FLOAT32, 3);
        buffer.copyFrom(new float[] {1, 2, 3});
        buffer.slice(1, 1).copyFrom(new float[] {7, 8, 9}, 2);
        assertArrayEquals(new float[] {1, 9, 3}, buffer.toFloatArray());
        float[] target = new float[5];
        buffer.copyTo(target, 1);
        assertArrayEquals(new float[] {0, 1, 9, 3, 0}, target);
        assertEquals(9, buffer.asFloatBuffer().get(1));
    }

    @Test
    void copiesEachKindOfArray() {
        TypedBuffer doubles = of(DataType.FLOAT64, 2);
        doubles.copyFrom(new double[] {1, 2});
        assertArrayEquals(new double[] {1, 2}, doubles.toDoubleArray());
        assertEquals(2, doubles.asDoubleBuffer().get(1));
        TypedBuffer ints = of(DataType.UINT32, 2);
        ints.copyFrom(new int[] {-1, 2});
        assertArrayEquals(new int[] {-1, 2}, ints.toIntArray());
        assertEquals(-1, ints.asIntBuffer().get(0));
        TypedBuffer longs = of(DataType.INT64, 2);
        longs.copyFrom(new long[] {-1, 2}, 0);
        assertArrayEquals(new long[] {-1, 2}, longs.toLongArray());
        assertEquals(2, longs.asLongBuffer().get(1));
        TypedBuffer shorts = of(DataType.FLOAT16, 2);
        shorts.copyFrom(new short[] {0x3c00, 2});
        assertArrayEquals(new short[] {0x3c00, 2}, shorts.toShortArray());
        assertEquals(0x3c00, shorts.asShortBuffer().get(0));
        TypedBuffer bytes = of(DataType.FLOAT8_E5M2, 2);
        bytes.copyFrom(new byte[] {1, 2});
        assertArrayEquals(new byte[] {1, 2}, bytes.toByteArray());
        assertEquals(2, bytes.asByteBuffer().get(1));
    }

    @Test
    void refusesArraysOfOtherTypesAndSizes() {
        TypedBuffer buffer = of(DataType.FLOAT32, 3);
        assertEquals(
                "elements is int; allowed: float, which float32 elements are copied as",
                refusal(() -> buffer.copyFrom(new int[3])));
        assertEquals(
                "source is 4 elements; allowed: 3 elements, like the buffer; copy a slice of the buffer, or name the"
                        + " first element",
                refusal(() -> buffer.copyFrom(new float[4])));
        assertEquals(
                "destination is 3 elements from element 2; allowed: a range inside the array's 4 elements; copy a slice"
                        + " of the buffer to copy fewer",
                refusal(() -> buffer.copyTo(new float[4], 2)));
        assertThrows(InvalidArgumentException.class, () -> buffer.copyTo(new float[4], -1));
        assertThrows(InvalidArgumentException.class, buffer::toDoubleArray);
        assertThrows(InvalidArgumentException.class, buffer::asIntBuffer);
    }

    @Test
    void copiesWhatRemainsOfNioBuffers() {
        TypedBuffer buffer = of(DataType.FLOAT32, 2);
        FloatBuffer heap =
                FloatBuffer.wrap(new float[] {0, 1, 2, 3}).position(1).limit(3);
        buffer.copyFrom(heap);
        assertEquals(1, heap.position());
        assertArrayEquals(new float[] {1, 2}, buffer.toFloatArray());
        ByteBuffer direct = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
        buffer.copyTo(direct);
        assertEquals(2, direct.getFloat(4));
        buffer.copyFrom(direct.putFloat(0, 5));
        assertArrayEquals(new float[] {5, 2}, buffer.toFloatArray());
    }

    @Test
    void refusesNioBuffersThatDoNotFit() {
        TypedBuffer buffer = of(DataType.FLOAT32, 2);
        ByteOrder other =
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        ByteBuffer swapped = ByteBuffer.allocate(8).order(other);
        assertEquals(
                "source is " + other + " order; allowed: " + ByteOrder.nativeOrder()
                        + " order, as the machine's; call order(ByteOrder.nativeOrder()) of the ByteBuffer before it is"
                        + " written",
                refusal(() -> buffer.copyFrom(swapped)));
        assertEquals(
                "destination is a read-only buffer; allowed: a buffer that can be written",
                refusal(() -> buffer.copyTo(FloatBuffer.allocate(2).asReadOnlyBuffer())));
        assertThrows(InvalidArgumentException.class, () -> buffer.copyFrom(CharBuffer.allocate(2)));
        assertThrows(InvalidArgumentException.class, () -> buffer.copyFrom(FloatBuffer.allocate(3)));
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void fillsElementsOfEveryType(DataType type) {
        TypedBuffer buffer = of(type, 5);
        buffer.slice(1, 3).fill(3);
        byte[] bytes = new byte[5 * type.byteSize()];
        buffer.bytes().copyTo(java.lang.foreign.MemorySegment.ofArray(bytes));
        ByteBuffer elements = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        double[] values = IntStream.range(0, 5)
                .mapToDouble(i -> type.decode(
                        switch (type.byteSize()) {
                            case 1 -> elements.get(i);
                            case 2 -> elements.getShort(2 * i);
                            case 4 -> elements.getInt(4 * i);
                            default -> elements.getLong(8 * i);
                        }))
                .toArray();
        assertArrayEquals(new double[] {0, 3, 3, 3, 0}, values);
    }

    @Test
    void fillsMoreThanItsOwnPattern() {
        TypedBuffer buffer = of(DataType.FLOAT64, 200_000);
        buffer.fill(0.25);
        double[] copy = buffer.toDoubleArray();
        assertEquals(50_000, java.util.Arrays.stream(copy).sum());
    }

    @Test
    void sizesThatNoMemoryHasStaySo() {
        assertEquals(Long.MAX_VALUE, TypedBuffer.bytesOf(DataType.INT64, Long.MAX_VALUE / 8 + 1));
        assertEquals(8, TypedBuffer.bytesOf(DataType.INT64, 1));
        assertEquals(-8, TypedBuffer.bytesOf(DataType.INT64, -1));
        assertEquals(-1, Long.signum(TypedBuffer.bytesOf(DataType.INT64, Long.MIN_VALUE)));
    }
}
