package org.mscclj.gpu.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;

/** The stand-in for the driver treats multicast objects as the documentation of the driver says. */
@ResourceLock(StandIn.RESOURCE)
class MulticastObjectTest {
    private static final long UNIT = MulticastObject.GRANULARITY;
    private static final int INVALID_VALUE = 1;
    private static final int INVALID_DEVICE = 101;
    private static final int ILLEGAL_ADDRESS = 700;
    private static final int NOT_SUPPORTED = 801;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Map<StandIn.Kind, Long> before = Map.of();

    @BeforeEach
    void open() {
        StandIn.use();
        before = StandIn.live();
        for (int gpu = 0; gpu < 2; gpu++) {
            DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, gpu));
            opened.add(context::close);
        }
        MulticastObject.enter(0);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
        DriverCalls.call("cuCtxSetCurrent", 0L);
        assertEquals(before, StandIn.live());
    }

    private <T extends AutoCloseable> T opened(T one) {
        opened.add(one);
        return one;
    }

    /** A handle of memory of a device. */
    private long memory(int device, long bytes, boolean shareable) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = arena.allocate(32, 8);
            properties.set(ValueLayout.JAVA_INT, 0, 1);
            properties.set(ValueLayout.JAVA_INT, 4, shareable ? 1 : 0);
            properties.set(ValueLayout.JAVA_INT, 8, 1);
            properties.set(ValueLayout.JAVA_INT, 12, device);
            properties.set(ValueLayout.JAVA_BYTE, 25, (byte) 1);
            long handle = DriverCalls.get("cuMemCreate", bytes, properties, 0L);
            opened.add(() -> DriverCalls.call("cuMemRelease", handle));
            return handle;
        }
    }

    private static int bind(MulticastObject object, long offset, long memory, long memoryOffset, long bytes) {
        return DriverCalls.result("cuMulticastBindMem", object.handle(), offset, memory, memoryOffset, bytes, 0L);
    }

    private static int unbind(MulticastObject object, int device, long offset, long bytes) {
        return DriverCalls.result("cuMulticastUnbind", object.handle(), device, offset, bytes);
    }

    private MulticastObject ofTwo(boolean shareable) {
        MulticastObject object = opened(MulticastObject.create(2, 4 * UNIT, shareable));
        object.add(0);
        object.add(1);
        return object;
    }

    @Test
    void propertiesAreChecked() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment right = MulticastObject.properties(arena, 2, UNIT, true);
            assertEquals(UNIT, DriverCalls.get("cuMulticastGetGranularity", right, 0));
            assertEquals(2 * UNIT, DriverCalls.get("cuMulticastGetGranularity", right, 1));
            MemorySegment handle = arena.allocate(8);
            for (MemorySegment wrong : List.of(
                    MulticastObject.properties(arena, 0, UNIT, true),
                    MulticastObject.properties(arena, 3, UNIT, true),
                    MulticastObject.properties(arena, 2, 0, true),
                    MulticastObject.properties(arena, 2, UNIT / 2, true))) {
                assertEquals(INVALID_VALUE, DriverCalls.result("cuMulticastCreate", handle, wrong));
            }
            MemorySegment fabric = MulticastObject.properties(arena, 2, UNIT, true);
            fabric.set(ValueLayout.JAVA_LONG, 16, 8);
            assertEquals(NOT_SUPPORTED, DriverCalls.result("cuMulticastCreate", handle, fabric));
        }
    }

    @Test
    void eachDeviceIsAddedOnce() {
        MulticastObject object = opened(MulticastObject.create(2, UNIT, false));
        object.add(1);
        assertEquals(INVALID_VALUE, DriverCalls.result("cuMulticastAddDevice", object.handle(), 1));
        assertEquals(INVALID_DEVICE, DriverCalls.result("cuMulticastAddDevice", object.handle(), 2));
        assertEquals(INVALID_VALUE, DriverCalls.result("cuMulticastAddDevice", memory(0, UNIT, false), 0));
        object.add(0);
        MulticastObject ofOne = opened(MulticastObject.create(1, UNIT, false));
        ofOne.add(0);
        assertEquals(INVALID_VALUE, DriverCalls.result("cuMulticastAddDevice", ofOne.handle(), 1), "one too many");
    }

    @Test
    void bindingsAreOfMembersMemoryAtUnits() {
        MulticastObject object = ofTwo(false);
        long memory = memory(0, 2 * UNIT, false);
        assertEquals(INVALID_VALUE, bind(object, UNIT / 2, memory, 0, UNIT));
        assertEquals(INVALID_VALUE, bind(object, 0, memory, UNIT / 2, UNIT));
        assertEquals(INVALID_VALUE, bind(object, 0, memory, 0, UNIT / 2));
        assertEquals(INVALID_VALUE, bind(object, 0, memory, UNIT, 2 * UNIT), "more than the memory has");
        assertEquals(INVALID_VALUE, bind(object, 3 * UNIT, memory, 0, 2 * UNIT), "more than the object has");
        assertEquals(0, bind(object, UNIT, memory, 0, 2 * UNIT));
        assertEquals(INVALID_VALUE, bind(object, 2 * UNIT, memory, 0, UNIT), "bound already");
        assertEquals(0, bind(object, 3 * UNIT, memory, UNIT, UNIT), "memory may be bound at several positions");
        assertEquals(0, bind(object, UNIT, memory(1, UNIT, false), 0, UNIT), "each device has its own positions");

        assertEquals(INVALID_VALUE, unbind(object, 0, UNIT, UNIT), "another size than was bound");
        assertEquals(0, unbind(object, 0, UNIT, 2 * UNIT));
        assertEquals(INVALID_VALUE, unbind(object, 0, UNIT, 2 * UNIT));
        assertEquals(0, bind(object, UNIT, memory, 0, UNIT), "the position is free again");
        MulticastObject ofOne = opened(MulticastObject.create(1, UNIT, false));
        ofOne.add(1);
        assertEquals(INVALID_DEVICE, bind(ofOne, 0, memory, 0, UNIT), "memory of a device that is no member");
    }

    @Test
    void objectsForOtherProcessesTakeMemoryForOtherProcesses() {
        MulticastObject object = ofTwo(true);
        assertEquals(INVALID_VALUE, bind(object, 0, memory(0, UNIT, false), 0, UNIT));
        assertEquals(0, bind(object, 0, memory(0, UNIT, true), 0, UNIT));
        MulticastObject own = ofTwo(false);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment descriptor = arena.allocate(ValueLayout.JAVA_INT);
            assertEquals(
                    INVALID_VALUE, DriverCalls.result("cuMemExportToShareableHandle", descriptor, own.handle(), 1, 0L));
        }
    }

    @Test
    void mappedObjectsAreForMultimemOfTheirDevice() {
        MulticastObject object = ofTwo(false);
        long address = object.map(1);
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(ILLEGAL_ADDRESS, DriverCalls.result("cuMemsetD8Async", address, (byte) 0, 16L, 0L));
            assertEquals(
                    INVALID_VALUE,
                    DriverCalls.result("cuMemSetAccess", address, 4 * UNIT, MulticastObject.access(arena, 7), 1L),
                    "no member");
        }
    }

    /** The last handle of an object takes its bindings along. */
    @Test
    void bindingsEndWithTheirHandle() {
        long memory = memory(0, UNIT, false);
        MulticastObject object = MulticastObject.create(1, UNIT, false);
        object.add(0);
        assertEquals(0, bind(object, 0, memory, 0, UNIT));
        assertEquals(before.get(StandIn.Kind.BINDINGS) + 1, StandIn.live().get(StandIn.Kind.BINDINGS));
        object.close();
        assertEquals(before.get(StandIn.Kind.BINDINGS), StandIn.live().get(StandIn.Kind.BINDINGS));
    }

    @Test
    void callsFailWhereATestWantsIt() {
        StandIn.fail("cuMulticastAddDevice", 1, NOT_SUPPORTED);
        MulticastObject object = opened(MulticastObject.create(2, UNIT, false));
        object.add(0);
        assertEquals(NOT_SUPPORTED, DriverCalls.result("cuMulticastAddDevice", object.handle(), 1));
        object.add(1);
        assertTrue(StandIn.live().get(StandIn.Kind.HANDLES) > before.get(StandIn.Kind.HANDLES));
    }
}
