package org.mscclj.conformance.reference;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.mscclj.api.device.DeviceBuffer;

/** Memory that an implementation should not touch; buffers of the suite have room on both sides. */
@SuppressWarnings("restricted")
final class Memory {
    private Memory() {}

    /** The bytes after a buffer. */
    static void writePast(DeviceBuffer buffer) {
        MemorySegment after =
                MemorySegment.ofAddress(buffer.address() + buffer.byteSize()).reinterpret(8);
        after.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    }

    /** A buffer of the same size that begins earlier. */
    static DeviceBuffer movedDown(DeviceBuffer buffer, long by) {
        MemorySegment moved = MemorySegment.ofAddress(buffer.address() - by).reinterpret(buffer.byteSize());
        InvocationHandler handler = (proxy, method, arguments) ->
                method.getName().equals("segment") ? moved : method.invoke(buffer, arguments);
        return (DeviceBuffer) Proxy.newProxyInstance(
                DeviceBuffer.class.getClassLoader(), new Class<?>[] {DeviceBuffer.class}, handler);
    }
}
