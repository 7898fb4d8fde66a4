package org.mscclj.cli.measure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.cli.check.RankMemory;

/** A rank's buffers as the host sees them: the memory itself where the host can access it, else copies of all that was allocated. */
final class HostView implements AutoCloseable {
    private final RankBuffers buffers;
    private final Arena arena;
    private final List<MemorySegment> regions;
    private final boolean copied;

    private HostView(RankBuffers buffers, Arena arena, List<MemorySegment> regions, boolean copied) {
        this.buffers = buffers;
        this.arena = arena;
        this.regions = regions;
        this.copied = copied;
    }

    /** A view of zeros, where it consists of copies; see {@link #download}. */
    static HostView of(RankBuffers buffers) {
        Arena arena = Arena.ofShared(); // results are checked by several threads
        try {
            boolean copied = !isHostMemory(buffers.regions().getFirst());
            List<MemorySegment> regions = new ArrayList<>();
            for (DeviceBuffer region : buffers.regions()) {
                regions.add(copied ? arena.allocate(region.byteSize(), Long.BYTES) : region.segment());
            }
            return new HostView(buffers, arena, regions, copied);
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    private static boolean isHostMemory(DeviceBuffer buffer) {
        try {
            buffer.segment();
            return true;
        } catch (UnsupportedException e) {
            return false;
        }
    }

    RankMemory memory() {
        return new RankMemory(
                view(buffers.input()),
                view(buffers.output()),
                buffers.guards().stream().map(this::view).toList());
    }

    private MemorySegment view(DeviceBuffer part) {
        if (!copied) {
            return part.segment();
        }
        for (int i = 0; i < regions.size(); i++) {
            DeviceBuffer region = buffers.regions().get(i);
            long offset = part.address() - region.address();
            if (offset >= 0 && offset + part.byteSize() <= region.byteSize()) {
                return regions.get(i).asSlice(offset, part.byteSize());
            }
        }
        throw new IllegalStateException("a part of no region");
    }

    /** Brings what was written here to the device. */
    void upload() {
        for (int i = 0; copied && i < regions.size(); i++) {
            buffers.regions().get(i).copyFrom(regions.get(i));
        }
    }

    /** Brings what is on the device here. */
    void download() {
        for (int i = 0; copied && i < regions.size(); i++) {
            buffers.regions().get(i).copyTo(regions.get(i));
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
