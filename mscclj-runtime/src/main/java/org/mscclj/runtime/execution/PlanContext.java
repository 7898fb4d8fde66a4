package org.mscclj.runtime.execution;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.recorder.DriverQuestion;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.EngineContext;

/**
 * A plan's memory and wiring on one rank: scratch, counters, the mapped memory of peers, and the ways of its port
 * channels. It serves any size: a message whose chunks exceed the slot takes rounds, or a larger context.
 */
public final class PlanContext implements AutoCloseable {
    private final long slotBytes;
    private final long scratchBytes;
    private final EngineContext engine;
    private final ContextMemory memory;
    private final MappedContexts mapped;
    private final PortWiring ports;
    private final List<AutoCloseable> resources;

    /** One for all who ask: of a driver that does not answer no more threads wait than one. */
    private final DriverQuestion<CountedLaunches> counted;

    /** Operations that are not closed; threads that close buffers close some. */
    private final AtomicInteger operations = new AtomicInteger();

    private boolean forKinds;
    private boolean alone;

    PlanContext(
            long slotBytes,
            long scratchBytes,
            EngineContext engine,
            ContextMemory memory,
            MappedContexts mapped,
            PortWiring ports,
            ControlPlane control,
            List<AutoCloseable> resources) {
        this.counted = new DriverQuestion<>(() -> CountedLaunches.of(this, control.rank(), control.size()));
        this.slotBytes = slotBytes;
        this.scratchBytes = scratchBytes;
        this.engine = engine;
        this.memory = memory;
        this.mapped = mapped;
        this.ports = ports;
        this.resources = resources;
    }

    long slotBytes() {
        return slotBytes;
    }

    /** Size of the scratch of the rank with most, in bytes; equal on all ranks. */
    public long scratchBytes() {
        return scratchBytes;
    }

    /**
     * Says that kinds of calls use this context, so that it is closed when none does any more; else it stays until the
     * communicator closes.
     */
    void keepForKinds() {
        forKinds = true;
    }

    boolean isForKinds() {
        return forKinds;
    }

    /** Says that ranks launch what runs here without each other. */
    void launchAlone() {
        alone = true;
    }

    boolean launchesAlone() {
        return alone;
    }

    /** An operation uses this context. */
    void enter() {
        operations.incrementAndGet();
    }

    /** An operation has been closed: its launches have ended. */
    void leave() {
        operations.decrementAndGet();
    }

    /** Whether no operation of this rank uses this context. */
    boolean isIdle() {
        return operations.get() == 0;
    }

    /** Lets port channels carry out what was pushed, and ends them. To be called on all ranks before any closes. */
    void stop() {
        ports.stop();
    }

    EngineContext engine() {
        return engine;
    }

    PortWiring ports() {
        return ports;
    }

    /** This rank's scratch. */
    DeviceBuffer scratch() {
        return memory.scratch();
    }

    /** This rank's counters. */
    DeviceBuffer counters() {
        return memory.counters();
    }

    /**
     * What the counters of ranks of this node say; empty if the driver does not answer within the patience.
     *
     * @throws RuntimeException what the driver says
     */
    Optional<CountedLaunches> counted(Duration patience) {
        return counted.ask(patience);
    }

    /** Ranks of this node that have begun fewer launches than a rank. May call a driver. */
    List<Integer> behind(int rank, int size) {
        return CountedLaunches.of(this, rank, size).late();
    }

    /** Launches that a rank has started; −1 if that cannot be seen from here, or no more. */
    long started(int rank) {
        return mapped.counter(rank, ContextLayout.STARTED);
    }

    /** Launches that a rank has finished; −1 if that cannot be seen from here, or no more. */
    long finished(int rank) {
        return mapped.counter(rank, ContextLayout.FINISHED);
    }

    @Override
    public void close() {
        Resources.close(resources);
    }
}
