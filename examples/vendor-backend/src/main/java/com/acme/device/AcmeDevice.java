package com.acme.device;

import java.nio.file.Path;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.memory.MemoryMapping;
import org.mscclj.support.device.Allocation;
import org.mscclj.support.device.InterpretingDevice;
import org.mscclj.support.device.MemoryBuffer;
import org.mscclj.support.ffm.ProcessMemory;

/** A device with a file for each allocation. */
final class AcmeDevice extends InterpretingDevice {
    AcmeDevice(int index) {
        super("acme", index, new ProcessMemory());
    }

    @Override
    public String description() {
        return "Acme's device " + index();
    }

    @Override
    protected Allocation allocateMemory(long bytes) {
        SharedFile file = SharedFile.create(bytes);
        return Allocation.of(file.segment(), file.path().toString(), () -> {
            file.unmap();
            file.delete();
        });
    }

    @Override
    public MemoryHandle export(DeviceBuffer buffer) {
        return AcmeHandle.of(MemoryBuffer.of(buffer)).encode();
    }

    @Override
    public boolean canMap(MemoryHandle handle) {
        return handle.backend().equals("acme") && AcmeHandle.decode(handle).isReachable();
    }

    /** Maps memory of a peer in this process, or the file of a peer in another process. */
    @Override
    public MappedMemory map(MemoryHandle handle) {
        if (!canMap(handle)) {
            throw InvalidArgumentException.of("memory", handle, "memory of backend acme on this host");
        }
        AcmeHandle peer = AcmeHandle.decode(handle);
        if (peer.isOfThisProcess()) {
            return Allocation.map(peer.number(), peer.offset(), peer.bytes());
        }
        SharedFile file = SharedFile.open(Path.of(peer.file()), peer.offset(), peer.bytes());
        return new MemoryMapping(file.segment().address(), peer.bytes(), file::unmap);
    }
}
