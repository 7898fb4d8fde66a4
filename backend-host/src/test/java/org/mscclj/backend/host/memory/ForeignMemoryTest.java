package org.mscclj.backend.host.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.device.MappedMemory;

/** Memory of other software. */
class ForeignMemoryTest {
    private static final long BYTES = 100_000;

    @Test
    void theOwnerIsToldOnceWhenNobodyUsesItAnyMore() {
        try (Arena arena = Arena.ofShared();
                HostMemory memory = HostMemory.ofProcess(1)) {
            MemorySegment owned = arena.allocate(BYTES, 1);
            AtomicInteger told = new AtomicInteger();
            DeviceBuffer adopted = memory.adopt(owned.address() + 3, BYTES - 3, told::incrementAndGet);
            assertEquals(owned.address() + 3, adopted.address());
            adopted.segment().set(ValueLayout.JAVA_BYTE, 5, (byte) 7);
            assertEquals(7, owned.get(ValueLayout.JAVA_BYTE, 8));
            MappedMemory mapped = memory.map(memory.export(adopted.slice(5, 10)));
            assertEquals(owned.address() + 8, mapped.address());
            DeviceBuffer.Hold hold = adopted.slice(0, 1).hold();
            assertThrows(InvalidArgumentException.class, adopted::close);
            hold.close();
            hold.close();
            adopted.close();
            assertEquals(0, told.get());
            mapped.close();
            assertEquals(1, told.get());
            adopted.close();
            assertEquals(1, told.get());
            assertThrows(IllegalStateException.class, () -> adopted.segment().fill((byte) 1));
            assertThrows(InvalidArgumentException.class, adopted::hold);
            assertEquals(7, owned.get(ValueLayout.JAVA_BYTE, 8));
        }
    }

    @Test
    void whatIsNoMemoryIsRefused() {
        try (HostMemory memory = HostMemory.ofProcess(1)) {
            assertThrows(InvalidArgumentException.class, () -> memory.adopt(0, 8, () -> {}));
            assertThrows(InvalidArgumentException.class, () -> memory.adopt(4096, -1, () -> {}));
        }
    }

    @Test
    void otherProcessesCannotMapIt() {
        try (Arena arena = Arena.ofShared();
                HostMemory memory = HostMemory.shared(1);
                DeviceBuffer adopted = memory.adopt(arena.allocate(8).address(), 8, () -> {})) {
            String message = assertThrows(UnsupportedException.class, () -> memory.export(adopted))
                    .getMessage();
            assertTrue(message.contains("Device.allocate"), message);
        }
    }
}
