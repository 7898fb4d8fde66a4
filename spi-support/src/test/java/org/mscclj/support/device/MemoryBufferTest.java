package org.mscclj.support.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.support.interpreter.ArenaDevice;

class MemoryBufferTest {
    private final ArenaDevice device = new ArenaDevice();

    @Test
    void aPartSharesMemoryAndDoesNotClose() {
        DeviceBuffer whole = device.allocate(16);
        try (DeviceBuffer part = whole.slice(8, 8)) {
            part.segment().set(ValueLayout.JAVA_LONG, 0, 7);
            assertEquals(8, MemoryBuffer.of(part).offset());
        }
        assertEquals(7, whole.segment().getAtIndex(ValueLayout.JAVA_LONG, 1));
        for (long[] range : new long[][] {{-1, 1}, {0, 17}, {9, 8}, {0, -1}, {Long.MAX_VALUE, 1}}) {
            assertThrows(InvalidArgumentException.class, () -> whole.slice(range[0], range[1]));
        }
        whole.close();
        whole.close();
        assertThrows(InvalidArgumentException.class, whole::segment);
    }

    @Test
    void memoryOutlivesItsOwnerWhileItIsMapped() {
        DeviceBuffer buffer = device.allocate(8);
        buffer.segment().set(ValueLayout.JAVA_LONG, 0, 7);
        long number = MemoryBuffer.of(buffer).allocation().number();
        MappedMemory mapped = Allocation.map(number, 0, 8);
        buffer.close();
        assertEquals(7, device.readCounter(mapped, 0));
        mapped.close();
        mapped.close();
        assertThrows(InvalidArgumentException.class, () -> Allocation.map(number, 0, 8));
    }

    @Test
    void usersKeepABufferFromBeingClosed() {
        DeviceBuffer buffer = device.allocate(8);
        DeviceBuffer.Hold hold = buffer.hold();
        assertThrows(InvalidArgumentException.class, buffer::close);
        device.raiseCounter(buffer, 0);
        assertEquals(1, device.readCounter(buffer, 0));
        hold.close();
        buffer.close();
        assertThrows(InvalidArgumentException.class, () -> device.allocate(-1));
    }
}
