package org.mscclj.gpu.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.gpu.driver.StreamCalls;

/**
 * Exchanges the capture modes of threads, so that they can query a driver while other threads capture. Safe for use by
 * several threads.
 */
public final class CaptureModes {
    /**
     * The memory in which the driver reads and writes the mode, one for each thread, so that launches can query the
     * progress of others without allocating.
     */
    private static final ThreadLocal<MemorySegment> MODE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(ValueLayout.JAVA_INT));

    private final GpuDriver driver;

    /**
     * One instance for each mode that a thread may have had, by the mode's number, so that entering allocates nothing.
     */
    private final List<RelaxedThread> backTo = List.of(
            new RelaxedThread(this, 0), new RelaxedThread(this, 1), new RelaxedThread(this, StreamCalls.RELAXED));

    /** Creates the modes for a driver. */
    public CaptureModes(GpuDriver driver) {
        this.driver = driver;
    }

    /** Sets the relaxed mode for this thread. Allocates nothing, except once per thread. */
    public RelaxedThread relax() {
        return backTo.get(exchange(StreamCalls.RELAXED));
    }

    /** Sets a mode for the thread, and returns its previous mode. */
    int exchange(int mode) {
        MemorySegment memory = MODE.get();
        memory.set(ValueLayout.JAVA_INT, 0, mode);
        int result = driver.streams().exchangeCaptureMode(memory);
        if (!driver.errors().isOfLostContext(result)) { // the next call reports a lost context
            driver.check(result, "exchanging the capture mode of a thread");
        }
        return memory.get(ValueLayout.JAVA_INT, 0);
    }
}
