package org.mscclj.transport.tcp.memory;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.transport.tcp.FakeDevice;

/** What names memory to peers. */
class WritableMemoryTableTest {
    @Test
    void idsCannotBeGuessed() {
        FakeDevice device = new FakeDevice();
        WritableMemoryTable table = new WritableMemoryTable();
        Set<Long> numbers = new HashSet<>();
        try (DeviceBuffer buffer = device.allocate(64)) {
            for (int slot = 0; slot < 100; slot++) {
                TcpLocalMemory memory = table.register(device, buffer);
                assertSame(memory, table.find(memory.id()));
                numbers.add(memory.id() >>> Integer.SIZE);
                for (long guess = 0; guess < 100; guess++) {
                    assertNull(table.find(guess << Integer.SIZE | slot), "1 in 40 million");
                }
            }
            table.close();
        }
        assertNotEquals(1, numbers.size());
    }

    @Test
    void lateFramesForClosedMemoryAreKnown() {
        FakeDevice device = new FakeDevice();
        WritableMemoryTable table = new WritableMemoryTable();
        try (DeviceBuffer buffer = device.allocate(64)) {
            TcpLocalMemory first = table.register(device, buffer);
            first.close();
            TcpLocalMemory second = table.register(device, buffer);
            assertSame(second, table.find(first.id()));
            assertNotEquals(first.id(), second.id());
            long other = new SplittableRandom().nextLong() << Integer.SIZE;
            assertNull(table.find(other), "1 in 2 billion");
            second.close();
        }
    }
}
