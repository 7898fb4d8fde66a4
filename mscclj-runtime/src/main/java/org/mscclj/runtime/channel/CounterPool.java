package org.mscclj.runtime.channel;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.ContextLayout;

/**
 * Gives out this rank's inbound counters, each on a line of its own. A counter is never given out twice, nor freed
 * before the pool is: a peer that has not closed its side yet may still raise it.
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
            try {
                slabs.add(new OwnMemory(environment, buffer));
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
        for (OwnMemory slab : slabs) {
            all.add(slab.buffer());
            all.add(slab);
        }
        slabs.clear();
        next = COUNTERS_OF_SLAB;
        Resources.close(all); // last first
    }
}
