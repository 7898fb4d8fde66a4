package org.mscclj.support.interpreter;

import java.lang.foreign.Arena;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.support.device.Allocation;
import org.mscclj.support.device.InterpretingDevice;
import org.mscclj.support.device.MemoryBuffer;
import org.mscclj.support.ffm.ProcessMemory;

/** A device of tests, whose memory is that of arenas. */
public final class ArenaDevice extends InterpretingDevice {
    /** A device. */
    public ArenaDevice() {
        super("arena", 0, new ProcessMemory());
    }

    @Override
    public String description() {
        return "memory of arenas";
    }

    @Override
    protected Allocation allocateMemory(long bytes) {
        Arena arena = Arena.ofShared();
        return Allocation.of(arena.allocate(Math.max(1, bytes), 128).asSlice(0, bytes), "", arena::close);
    }

    @Override
    public MemoryHandle export(DeviceBuffer buffer) {
        return new MemoryHandle(
                backend(),
                new byte[] {(byte) MemoryBuffer.of(buffer).allocation().number()});
    }

    @Override
    public boolean canMap(MemoryHandle handle) {
        return handle.backend().equals(backend());
    }

    @Override
    public MappedMemory map(MemoryHandle handle) {
        return Allocation.map(handle.bytes()[0], 0, 0);
    }
}
