package org.mscclj.analysis.verify.machine;

import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verify.order.ProxyClocks;
import org.mscclj.analysis.verify.order.VectorClock;

/**
 * An agent that accesses memory: a thread block, or the proxy of a port channel. Each operation of an agent is one
 * step; steps count from 1.
 *
 * <p>A block is many threads. What one thread acquires takes effect for the whole block at the next synchronisation of
 * its threads (a nop), and a signal releases only the accesses that precede the last synchronisation.
 */
final class Agent {
    private final int index;
    private final int rank;
    private final boolean proxy;
    private final VectorClock clock;
    private final StepLog log = new StepLog();

    /** The thread block of this agent; null for a proxy. */
    private @Nullable Block block;

    /** Clock acquired since the last synchronisation of the threads; null if there is none. */
    private @Nullable VectorClock acquired;

    /** The clock that a signal releases; null if it must be computed anew. */
    private @Nullable VectorClock released;

    /** The element under computation; null between operations. */
    private @Nullable Element element;

    private int step;
    private int syncedStep;

    Agent(int index, int rank, ProxyClocks proxyClocks) {
        this.index = index;
        this.rank = rank;
        this.proxy = proxyClocks.isProxy(index);
        this.clock = VectorClock.zero(proxyClocks);
    }

    int index() {
        return index;
    }

    int rank() {
        return rank;
    }

    void bind(Block self) {
        block = self;
    }

    @Nullable
    Block block() {
        return block;
    }

    int step() {
        return step;
    }

    StepLog log() {
        return log;
    }

    /** Begins an operation. */
    void begin(int launch, int position, int inner) {
        step++;
        log.add(launch, position, inner);
    }

    /** Synchronises the threads of the block. */
    void sync() {
        if (acquired != null) {
            clock.include(acquired);
            acquired = null;
            released = null;
            if (!proxy && clock.hasProxySteps()) {
                // so that a clock that includes this step includes what was acquired before it
                begin(0, StepLog.ACQUIRE, -1);
                clock.recordProxySteps(index, step);
                clock.include(index, step);
            }
        }
        if (syncedStep != step) {
            syncedStep = step;
            released = null;
        }
    }

    /** Acquires a clock; it takes effect at the next synchronisation. */
    void acquire(VectorClock other) {
        acquired().include(other);
    }

    /** Acquires the reads of a clock; they take effect at the next synchronisation. */
    void acquireReads(VectorClock other) {
        acquired().includeReads(other);
    }

    /** Acquires the reads of an agent up to a step. */
    void acquireReads(int agent, int upTo) {
        acquired().includeReads(agent, upTo);
    }

    private VectorClock acquired() {
        if (acquired == null) {
            acquired = clock.copy(); // shares the nodes of the clock
        }
        return acquired;
    }

    /**
     * The clock that a signal of this agent releases: all acquired so far, and its own accesses before the last
     * synchronisation.
     */
    VectorClock release() {
        if (released == null) {
            clock.include(index, syncedStep);
            released = clock.copy();
        }
        return released;
    }

    /**
     * Sets the element under computation. One thread computes it, so what its packets release holds without a
     * synchronisation.
     */
    void compute(@Nullable Element next) {
        element = next;
    }

    /** Whether a write happens before the next access of this agent. */
    boolean isAfterWrite(int agent, int stepOfIt) {
        return (agent == index ? stepOfIt <= syncedStep : clock.full(agent) >= stepOfIt)
                || (element != null && element.precedes(agent, stepOfIt));
    }

    /** Whether a read happens before the next access of this agent. */
    boolean isAfterRead(int agent, int stepOfIt) {
        return (agent == index ? stepOfIt <= syncedStep : clock.reads(agent) >= stepOfIt)
                || (element != null && element.readsPrecede(agent, stepOfIt));
    }

    /** Whether a read is an input of the element under computation, and therefore precedes its writes. */
    boolean isComputingFrom(ElementRead read) {
        return element != null && element.reads().contains(read);
    }
}
