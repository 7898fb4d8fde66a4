package org.mscclj.gpu.engine;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.MsccljException;
import org.mscclj.device.kernels.plan.StateLayout;
import org.mscclj.device.kernels.trace.TraceRings;
import org.mscclj.spi.trace.BlockTrace;
import org.mscclj.spi.trace.ContextTrace;

/** The trace of the blocks of one plan on a GPU: ring buffers in its memory, which are read when the plan is closed. */
final class PlanTrace implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(PlanTrace.class.getName());

    private final GpuPlanEngine engine;
    private final ContextTrace trace;
    private final ClockReading start;
    private final TraceRings rings;
    private final DeviceBuffer memory;

    /**
     * Creates a trace for a number of blocks.
     *
     * @param trace the destination
     */
    PlanTrace(GpuPlanEngine engine, ContextTrace trace, int blocks) {
        this.engine = engine;
        this.trace = trace;
        this.start = ClockReading.take(engine);
        this.rings = new TraceRings(blocks, ContextTrace.ENTRIES);
        this.memory = engine.device().allocate(rings.byteSize());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment initial = arena.allocate(rings.byteSize(), Long.BYTES);
            rings.initialise(initial);
            memory.copyFrom(initial);
        } catch (RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    /** The number of the operation with a name. */
    int operation(String name) {
        return trace.operation(name);
    }

    /** Sets the blocks up to write their traces here. */
    void initialise(StateLayout layout, MemorySegment state) {
        for (int block = 0; block < rings.blocks(); block++) {
            layout.trace(state, block, memory.address() + rings.offset(block));
        }
    }

    /**
     * Writes the file. A failure to read the trace is only logged: the plan is over, and nothing else is wrong with it.
     */
    void write() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(rings.byteSize(), Long.BYTES);
            memory.copyTo(copy);
            ClockReading end = ClockReading.take(engine);
            for (int block = 0; block < rings.blocks(); block++) {
                read(copy, block, end);
            }
            trace.close();
        } catch (MsccljException e) {
            LOGGER.log(Level.WARNING, "cannot read from GPU " + engine.context().ordinal() + " what it has traced", e);
        }
    }

    private void read(MemorySegment copy, int block, ClockReading end) {
        rings.read(copy, block, (operation, launch, started, ended, bytes) -> {
            BlockTrace events = trace.block(block);
            events.add(operation, launch, start.hostTime(started, end), start.hostTime(ended, end), bytes);
        });
    }

    /** Frees the memory. No kernel may write there any more. */
    @Override
    public void close() {
        memory.close();
    }
}
