package org.mscclj.backend.nccl;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.backend.nccl.ffm.NcclRegistration;

/**
 * A buffer of the device that NCCL has allocated and registered. It is left if an abort of its communicator does not
 * end, since kernels may use it.
 */
final class NcclMemory implements DeviceBuffer {
    private final NcclHandle handle;
    private final DeviceBuffer buffer;
    private final NcclRegisteredMemory registration;
    private boolean closed;

    private NcclMemory(NcclHandle handle, DeviceBuffer buffer, NcclRegisteredMemory registration) {
        this.handle = handle;
        this.buffer = buffer;
        this.registration = registration;
    }

    /**
     * Allocates and registers memory on the current device, during a call of the communicator. All ranks must call this
     * if the memory is symmetric.
     */
    static NcclMemory allocate(NcclHandle handle, long bytes, boolean symmetric) {
        NcclRegistration functions = handle.nccl().registration();
        long address = functions.memAlloc(bytes);
        try {
            DeviceBuffer buffer = handle.device().adoptMemory(address, bytes);
            try {
                return new NcclMemory(handle, buffer, NcclRegisteredMemory.register(handle, address, bytes, symmetric));
            } catch (RuntimeException | Error e) {
                buffer.close();
                throw e;
            }
        } catch (RuntimeException | Error e) {
            functions.memFree(address);
            throw e;
        }
    }

    @Override
    public long address() {
        return buffer.address();
    }

    @Override
    public long byteSize() {
        return buffer.byteSize();
    }

    @Override
    public DeviceBuffer slice(long offset, long bytes) {
        return buffer.slice(offset, bytes);
    }

    @Override
    public MemorySegment segment() {
        return buffer.segment();
    }

    @Override
    public void copyFrom(MemorySegment source) {
        buffer.copyFrom(source);
    }

    @Override
    public void copyTo(MemorySegment destination) {
        buffer.copyTo(destination);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        long address = buffer.address();
        buffer.close();
        try (registration) {
            handle.device().makeCurrent();
        } finally {
            if (!handle.isLeft()) {
                handle.nccl().registration().memFree(address);
            }
        }
    }
}
