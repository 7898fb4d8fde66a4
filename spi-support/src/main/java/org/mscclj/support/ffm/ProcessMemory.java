package org.mscclj.support.ffm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.mscclj.support.memory.Memory;

/** The memory of this process: addresses are those of native segments, also of files that the process has mapped. */
public final class ProcessMemory implements Memory {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment all;

    /**
     * All memory of the process.
     *
     * @throws IllegalCallerException if {@link #refusal} returns a reason
     */
    @SuppressWarnings("restricted") // this is the purpose of the class
    public ProcessMemory() {
        all = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /**
     * The reason why this process may not access memory by its address, and the remedy, for
     * {@link org.mscclj.spi.Provider#probe}; empty if it may.
     */
    public static Optional<String> refusal() {
        try {
            ProcessMemory _ = new ProcessMemory();
            return Optional.empty();
        } catch (IllegalCallerException e) {
            Module module = ProcessMemory.class.getModule();
            return Optional.of(e.getMessage() + "; start Java with --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED"));
        }
    }

    @Override
    public void read(long address, byte[] destination, int offset, int bytes) {
        MemorySegment.copy(all, ValueLayout.JAVA_BYTE, address, destination, offset, bytes);
    }

    @Override
    public void write(long address, byte[] source, int offset, int bytes) {
        MemorySegment.copy(source, offset, all, ValueLayout.JAVA_BYTE, address, bytes);
    }

    @Override
    public long getAcquire(long address) {
        return (long) WORD.getAcquire(all, address);
    }

    @Override
    public void setRelease(long address, long value) {
        WORD.setRelease(all, address, value);
    }

    @Override
    public void add(long address, long delta) {
        long _ = (long) WORD.getAndAdd(all, address, delta);
    }

    @Override
    public void copy(long from, long to, long bytes) {
        MemorySegment.copy(all, from, all, to, bytes);
    }
}
