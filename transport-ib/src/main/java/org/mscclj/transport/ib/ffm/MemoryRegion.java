package org.mscclj.transport.ib.ffm;

import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.device.DmaBuf;
import org.mscclj.transport.ib.ffm.Layouts.Mr;

/** Registered memory ({@code struct ibv_mr}), which the adapter and peers may read, write and change atomically. */
public final class MemoryRegion implements AutoCloseable {
    private static final int LOCAL_WRITE = 1;
    private static final int REMOTE_WRITE = 2;
    private static final int REMOTE_READ = 4;
    private static final int REMOTE_ATOMIC = 8;

    private final VerbsLibrary library;
    private final long handle;
    private final int localKey;
    private final int remoteKey;

    private MemoryRegion(VerbsLibrary library, long handle) {
        this.library = library;
        this.handle = handle;
        this.localKey = NativeMemory.getInt(handle + Mr.LKEY);
        this.remoteKey = NativeMemory.getInt(handle + Mr.RKEY);
    }

    /**
     * Registers memory. Its pages stay in place until the region is closed.
     *
     * @param bytes its size; more than 0
     * @throws org.mscclj.api.error.BackendException if the adapter cannot access it
     */
    public static MemoryRegion register(ProtectionDomain domain, long address, long bytes) {
        VerbsLibrary library = domain.adapter().library();
        return new MemoryRegion(
                library, library.pointer(VerbsFunction.REG_MR, domain.handle(), address, bytes, access(domain)));
    }

    /**
     * Registers memory of a DMA-BUF. Requests name it by the addresses at which the GPU has it.
     *
     * @param bytes its size; more than 0
     * @throws org.mscclj.api.error.BackendException if the adapter or the kernel does not support DMA-BUF
     * @throws org.mscclj.api.error.UnsupportedException if the library does not
     */
    public static MemoryRegion register(ProtectionDomain domain, DmaBuf memory, long address, long bytes) {
        VerbsLibrary library = domain.adapter().library();
        return new MemoryRegion(
                library,
                library.pointer(
                        VerbsFunction.REG_DMABUF_MR,
                        domain.handle(),
                        memory.offset(),
                        bytes,
                        address,
                        memory.descriptor(),
                        access(domain)));
    }

    private static int access(ProtectionDomain domain) {
        int atomics = domain.adapter().attributes().atomics() ? REMOTE_ATOMIC : 0;
        return LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | atomics;
    }

    /** Returns the key by which this side's work requests name the memory. */
    public int localKey() {
        return localKey;
    }

    /** Returns the key by which peers name the memory. */
    public int remoteKey() {
        return remoteKey;
    }

    /** Ends the registration. Peers that name the memory afterwards lose their queue pairs. */
    @Override
    public void close() {
        library.call(VerbsFunction.DEREG_MR, handle);
    }
}
