package org.mscclj.runtime.execution.context;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.recorder.DriverQuestion;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.EngineContext;

/**
 * Memory and wiring of a plan on one rank: scratch, counters, the mapped memory of peers, and the connections of its
 * port channels. A context serves any size: a message whose chunks exceed the slot takes several rounds, or a larger
 * context.
 */
public final class PlanContext implements LaunchContext, KindContext {
    private final long slotBytes;
    private final long scratchBytes;
    private final EngineContext engine;
    private final ContextMemory memory;
    private final MappedContexts mapped;
    private final PortWiring ports;
    private final List<OptionalLong> multicasts;
    private final List<AutoCloseable> resources;

    /** One question for all threads that ask: at most one thread waits for a driver that does not answer. */
    private final DriverQuestion<CountedLaunches> counted;

    /** Number of operations that are not closed. Threads that close buffers close some of them. */
    private final AtomicInteger operations = new AtomicInteger();

    private @Nullable LaunchGeometry geometry;
    private boolean forKinds;
    private boolean alone;

    PlanContext(
            long slotBytes,
            long scratchBytes,
            EngineContext engine,
            ContextMemory memory,
            MappedContexts mapped,
            PortWiring ports,
            List<OptionalLong> multicasts,
            ControlPlane control,
            List<AutoCloseable> resources) {
        this.counted = new DriverQuestion<>(() -> CountedLaunches.of(this, control.rank(), control.size()));
        this.slotBytes = slotBytes;
        this.scratchBytes = scratchBytes;
        this.engine = engine;
        this.memory = memory;
        this.mapped = mapped;
        this.ports = ports;
        this.multicasts = List.copyOf(multicasts);
        this.resources = resources;
    }

    public long slotBytes() {
        return slotBytes;
    }

    /** Returns the mapping of a message's bytes to the chunks of this context's plan. */
    public LaunchGeometry geometry(Plan plan, long sliceBytes) {
        LaunchGeometry known = geometry;
        if (known == null) {
            known = LaunchGeometry.of(plan, 0, slotBytes);
            geometry = known;
        }
        return known.ofSlices(sliceBytes);
    }

    /** Returns the maximum size of the scratch over all ranks, in bytes; equal on all ranks. */
    public long scratchBytes() {
        return scratchBytes;
    }

    /**
     * Marks this context as one that kinds of calls use, so that it is closed when no kind uses it any more. Without
     * this mark it stays until the communicator closes.
     */
    public void keepForKinds() {
        forKinds = true;
    }

    boolean isForKinds() {
        return forKinds;
    }

    /** Marks this context as one in which each rank launches without the other ranks. */
    public void launchAlone() {
        alone = true;
    }

    @Override
    public boolean launchesAlone() {
        return alone;
    }

    @Override
    public boolean endsWithoutClosed() {
        return false;
    }

    @Override
    public void enter() {
        operations.incrementAndGet();
    }

    @Override
    public void leave() {
        operations.decrementAndGet();
    }

    @Override
    public boolean isIdle() {
        return operations.get() == 0;
    }

    /** Waits until port channels have carried out all pushed triggers, and ends them. */
    @Override
    public void stop() {
        ports.stop();
    }

    public EngineContext engine() {
        return engine;
    }

    @Override
    public long atWork() {
        return engine.atWork();
    }

    @Override
    public boolean refuseReplays(long nanos) {
        return engine.refuseReplays(nanos);
    }

    public PortWiring ports() {
        return ports;
    }

    /** Returns the multicast address of each switch channel of this rank; empty where there is none. */
    public List<OptionalLong> multicasts() {
        return multicasts;
    }

    /** Returns this rank's scratch. */
    public DeviceBuffer scratch() {
        return memory.scratch();
    }

    /** Returns this rank's counters. */
    public DeviceBuffer counters() {
        return memory.counters();
    }

    @Override
    public Optional<CountedLaunches> counted(Duration timeout) {
        return counted.ask(timeout);
    }

    @Override
    public List<Integer> behind(int rank, int size) {
        return CountedLaunches.of(this, rank, size).late();
    }

    @Override
    public long started(int rank) {
        return mapped.counter(rank, ContextLayout.STARTED);
    }

    @Override
    public long finished(int rank) {
        return mapped.counter(rank, ContextLayout.FINISHED);
    }

    @Override
    public void close() {
        Resources.close(resources);
    }
}
