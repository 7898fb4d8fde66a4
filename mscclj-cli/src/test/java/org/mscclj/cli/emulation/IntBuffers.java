package org.mscclj.cli.emulation;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntUnaryOperator;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;

/** Buffers of ints, whose values a function of the index gives. */
final class IntBuffers {
    private IntBuffers() {}

    static DeviceBuffer of(Device device, int count, IntUnaryOperator value) {
        DeviceBuffer buffer = device.allocate((long) count * Integer.BYTES);
        set(buffer, value);
        return buffer;
    }

    static void set(DeviceBuffer buffer, IntUnaryOperator value) {
        MemorySegment host = Arena.ofAuto().allocate(buffer.byteSize());
        for (int i = 0; i < buffer.byteSize() / Integer.BYTES; i++) {
            host.setAtIndex(JAVA_INT, i, value.applyAsInt(i));
        }
        buffer.copyFrom(host);
    }

    /** Fails if an element is another one. */
    static void require(String what, DeviceBuffer buffer, IntUnaryOperator expected) {
        MemorySegment host = Arena.ofAuto().allocate(buffer.byteSize());
        buffer.copyTo(host);
        for (int i = 0; i < buffer.byteSize() / Integer.BYTES; i++) {
            int value = host.getAtIndex(JAVA_INT, i);
            if (value != expected.applyAsInt(i)) {
                throw new IllegalStateException(
                        what + ": element " + i + " is " + value + ", not " + expected.applyAsInt(i));
            }
        }
    }
}
