package org.mscclj.cli.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;

class RankBuffersTest {
    private static final CheckedCall OUT_OF_PLACE =
            new CheckedCall(Collective.ALLREDUCE, 2, false, 5, DataType.FLOAT32, ReduceOp.SUM, Sources.root(0));

    private final List<String> closed = new ArrayList<>();

    /** A buffer that only supports closing, by a given action. */
    private DeviceBuffer buffer(String name, Runnable close) {
        return (DeviceBuffer) Proxy.newProxyInstance(
                DeviceBuffer.class.getClassLoader(),
                new Class<?>[] {DeviceBuffer.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.add(name);
                        close.run();
                    }
                    return switch (method.getName()) {
                        case "slice" -> proxy;
                        case "segment" -> MemorySegment.NULL;
                        default -> null;
                    };
                });
    }

    private static LongFunction<DeviceBuffer> allocating(List<Supplier<DeviceBuffer>> allocations) {
        List<Supplier<DeviceBuffer>> left = new ArrayList<>(allocations);
        return _ -> left.removeFirst().get();
    }

    private static DeviceBuffer fail(RuntimeException e) {
        throw e;
    }

    @Test
    void buffersAreFreedIfALaterAllocationFails() {
        BackendException full = new BackendException("no memory", 12, "ENOMEM");
        BackendException busy = new BackendException("busy", 16, "EBUSY");
        LongFunction<DeviceBuffer> memory =
                allocating(List.of(() -> buffer("first", () -> fail(busy)), () -> fail(full)));
        assertSame(full, assertThrows(BackendException.class, () -> RankBuffers.allocate(memory, 0, OUT_OF_PLACE)));
        assertEquals(List.of("first"), closed);
        assertEquals(List.of(busy), List.of(full.getSuppressed()));
    }

    @Test
    void allAreFreedEvenIfOneFails() {
        BackendException busy = new BackendException("busy", 16, "EBUSY");
        RankBuffers buffers = RankBuffers.allocate(
                allocating(List.of(() -> buffer("first", () -> {}), () -> buffer("second", () -> fail(busy)))),
                0,
                OUT_OF_PLACE);
        assertSame(busy, assertThrows(BackendException.class, buffers::close));
        assertEquals(List.of("second", "first"), closed);
    }
}
