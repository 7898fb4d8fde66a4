package org.mscclj.backend.nccl;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.nccl.ffm.NcclRegistration;
import org.mscclj.spi.device.BackendDevice;

/** A buffer of the device that NCCL has allocated and registered. */
final class NcclMemory implements DeviceBuffer {
    private final BackendDevice device;
    private final NcclCommunicator owner;
    private final long communicator;
    private final DeviceBuffer buffer;
    private final long registration;
    private final boolean symmetric;
    private boolean closed;

    private NcclMemory(
            BackendDevice device,
            NcclCommunicator owner,
            long communicator,
            DeviceBuffer buffer,
            long registration,
            boolean symmetric) {
        this.device = device;
        this.owner = owner;
        this.communicator = communicator;
        this.buffer = buffer;
        this.registration = registration;
        this.symmetric = symmetric;
    }

    /** Allocates and registers memory on the current device. All ranks must call this if the memory is symmetric. */
    static NcclMemory allocate(
            BackendDevice device, NcclCommunicator owner, long communicator, long bytes, boolean symmetric) {
        long address = NcclRegistration.memAlloc(bytes);
        try {
            DeviceBuffer buffer = device.adoptMemory(address, bytes);
            try {
                long registration = register(communicator, address, bytes, symmetric);
                return new NcclMemory(device, owner, communicator, buffer, registration, symmetric);
            } catch (RuntimeException | Error e) {
                buffer.close();
                throw e;
            }
        } catch (RuntimeException | Error e) {
            NcclRegistration.memFree(address);
            throw e;
        }
    }

    private static long register(long communicator, long address, long bytes, boolean symmetric) {
        if (!symmetric) {
            return NcclRegistration.commRegister(communicator, address, bytes);
        }
        long registration = NcclRegistration.windowRegister(communicator, address, bytes);
        if (registration == 0) {
            throw new UnsupportedException(
                    "NCCL makes no symmetric window here: it needs GPUs that access each other, and memory"
                            + " of cuMemCreate (NCCL_CUMEM_ENABLE)");
        }
        return registration;
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
        device.makeCurrent();
        if (owner.isOpen()) {
            if (symmetric) {
                NcclRegistration.windowDeregister(communicator, registration);
            } else {
                NcclRegistration.commDeregister(communicator, registration);
            }
        }
        NcclRegistration.memFree(address);
    }
}
