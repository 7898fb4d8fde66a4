package org.mscclj.runtime.channel;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.ContextLayout;

/**
 * Allocates the inbound counters of this rank, each on a cache line of its own. The pool hands out no counter twice,
 * and frees counters only when the pool is closed, because a peer that has not closed its side yet may still raise a
 * counter.
 */
final class CounterPool implements AutoCloseable {
    private static final int COUNTERS_OF_SLAB = 64;

    private final ChannelEnvironment environment;
    private final List<OwnChannelMemory> slabs = new ArrayList<>();
    private int next = COUNTERS_OF_SLAB;

    /**
     * A counter.
     *
     * @param slab the memory that contains the counter
     * @param offset the offset of the counter in that memory, in bytes
     */
    record Counter(OwnChannelMemory slab, long offset) {}

    CounterPool(ChannelEnvironment environment) {
        this.environment = environment;
    }

    /** Returns a counter whose value is 0. */
    synchronized Counter take() {
        if (next == COUNTERS_OF_SLAB) {
            DeviceBuffer buffer = environment.device().allocate((long) COUNTERS_OF_SLAB * ContextLayout.COUNTER_STRIDE);
            try {
                slabs.add(new OwnChannelMemory(environment, buffer));
            } catch (RuntimeException | Error e) {
                Resources.closeSuppressing(List.of(buffer), e);
                throw e;
            }
            next = 0;
        }
        return new Counter(slabs.getLast(), (long) next++ * ContextLayout.COUNTER_STRIDE);
    }

    @Override
    public synchronized void close() {
        List<AutoCloseable> all = new ArrayList<>();
        for (OwnChannelMemory slab : slabs) {
            all.add(slab.buffer());
            all.add(slab);
        }
        slabs.clear();
        next = COUNTERS_OF_SLAB;
        Resources.close(all); // last first
    }
}
