package org.mscclj.runtime.execution.context;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.engine.PeerContext;

/**
 * Scratch and counters of every rank of a context, mapped where this rank can map them. Any thread may read counters,
 * also after this object is closed.
 */
final class MappedContexts implements AutoCloseable {
    private final BackendDevice device;
    private final Map<Integer, MappedMemory> counters = new HashMap<>();
    private final List<PeerContext> peers = new ArrayList<>();
    private final List<MappedMemory> mapped = new ArrayList<>();
    private boolean complete;

    MappedContexts(BackendDevice device) {
        this.device = device;
    }

    /** Maps the memory that the ranks of this rank's node have described. */
    synchronized void map(List<ContextDescription> descriptions, int own, Nodes nodes) {
        complete = true;
        for (int rank = 0; rank < descriptions.size(); rank++) {
            ContextDescription described = descriptions.get(rank);
            boolean near = nodes.share(own, rank);
            if (near && device.canMap(described.scratch()) && device.canMap(described.counters())) {
                MappedMemory scratch = map(described.scratch());
                MappedMemory counter = map(described.counters());
                counters.put(rank, counter);
                peers.add(new PeerContext(OptionalLong.of(scratch.address()), OptionalLong.of(counter.address())));
            } else {
                complete &= !near;
                peers.add(new PeerContext(OptionalLong.empty(), OptionalLong.empty()));
            }
        }
    }

    /** Returns whether this rank has mapped the memory of all ranks of its node. */
    synchronized boolean isComplete() {
        return complete;
    }

    private MappedMemory map(MemoryHandle handle) {
        MappedMemory memory = device.map(handle);
        mapped.add(memory);
        return memory;
    }

    /** Returns the addresses of every rank, by rank. */
    List<PeerContext> peers() {
        return peers;
    }

    /**
     * Returns the value of a rank's counter, by its offset; −1 if this rank cannot read it, or no longer can. The
     * monitor keeps memory mapped while a thread reads it.
     */
    synchronized long counter(int rank, long offset) {
        MappedMemory memory = counters.get(rank);
        return memory == null ? -1 : device.readCounter(memory, offset);
    }

    @Override
    public synchronized void close() {
        counters.clear();
        Resources.close(mapped);
        mapped.clear();
    }
}
