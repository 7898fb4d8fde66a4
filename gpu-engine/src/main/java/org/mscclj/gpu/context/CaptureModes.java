package org.mscclj.gpu.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.driver.StreamCalls;

/** The modes in which threads ask a driver while others capture. Safe for use by several threads. */
public final class CaptureModes {
    /**
     * Where the driver reads and writes the mode, for each thread, so that launches may look how far others are without
     * allocating.
     */
    private static final ThreadLocal<MemorySegment> MODE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(ValueLayout.JAVA_INT));

    private final GpuDriver driver;

    /** One for each mode that a thread may have had, by its number, so that entering allocates nothing. */
    private final List<RelaxedThread> backTo = List.of(
            new RelaxedThread(this, 0), new RelaxedThread(this, 1), new RelaxedThread(this, StreamCalls.RELAXED));

    /** Those of a driver. */
    public CaptureModes(GpuDriver driver) {
        this.driver = driver;
    }

    /** Relaxes this thread. Allocates nothing but once a thread. */
    public RelaxedThread relax() {
        return backTo.get(exchange(StreamCalls.RELAXED));
    }

    /** Gives the thread a mode, and returns what it had. */
    int exchange(int mode) {
        MemorySegment memory = MODE.get();
        memory.set(ValueLayout.JAVA_INT, 0, mode);
        int result = driver.streams().exchangeCaptureMode(memory);
        if (!driver.errors().isOfLostContext(result)) { // which what is asked next says again
            driver.check(result, "exchanging the capture mode of a thread");
        }
        return memory.get(ValueLayout.JAVA_INT, 0);
    }
}
