package org.mscclj.runtime.channel;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.engine.ContextLayout;

/**
 * Gives out this rank's inbound counters, each on a line of its own. A counter is never given out twice, nor freed before the pool
 * is: a peer that has not closed its side yet may still raise it.
 */
final class CounterPool implements AutoCloseable {
    private static final int COUNTERS_OF_SLAB = 64;

    private final ChannelEnvironment environment;
    private final List<OwnMemory> slabs = new ArrayList<>();
    private int next = COUNTERS_OF_SLAB;

    /**
     * A counter.
     *
     * @param slab the memory that it lies in
     * @param offset where, in bytes
     */
    record Counter(OwnMemory slab, long offset) {}

    CounterPool(ChannelEnvironment environment) {
        this.environment = environment;
    }

    /** A counter that is 0. */
    synchronized Counter take() {
        if (next == COUNTERS_OF_SLAB) {
            DeviceBuffer buffer = environment.device().allocate((long) COUNTERS_OF_SLAB * ContextLayout.COUNTER_STRIDE);
            slabs.add(new OwnMemory(environment, buffer));
            next = 0;
        }
        return new Counter(slabs.getLast(), (long) next++ * ContextLayout.COUNTER_STRIDE);
    }

    @Override
    public synchronized void close() {
        for (OwnMemory slab : slabs) {
            slab.close();
            slab.buffer().close();
        }
        slabs.clear();
        next = COUNTERS_OF_SLAB;
    }
}
