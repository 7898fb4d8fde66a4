package org.mscclj.runtime.fallback;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.type.Collective;
import org.mscclj.runtime.execution.Staged;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.OpenOperations;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedPlan;
import org.mscclj.runtime.execution.operation.RecordedAs;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackProvider;

/**
 * The fallback of a communicator on one rank. Used by one thread at a time; any thread may close buffers of its calls.
 */
public final class RankFallback implements FallbackCandidate, AutoCloseable {
    private final ExecutionEnvironment environment;
    private final Set<Collective> forced;
    private final OpenOperations open = new OpenOperations();
    private InstalledFallbacks.@Nullable Found found;
    private @Nullable OpenedFallback opened;

    /**
     * Creates a fallback that is not open.
     *
     * @param forced the collectives that the user gives to it; equal on all ranks
     */
    public RankFallback(ExecutionEnvironment environment, Set<Collective> forced) {
        this.environment = environment;
        this.forced = Set.copyOf(forced);
    }

    @Override
    public boolean isForced(Collective collective) {
        return forced.contains(collective);
    }

    @Override
    public boolean isNamed(String name) {
        return InstalledFallbacks.has(name);
    }

    @Override
    public Optional<String> name(List<String> refusals) {
        return switch (found()) {
            case InstalledFallbacks.Found.Usable usable ->
                Optional.of(usable.provider().name());
            case InstalledFallbacks.Found.None none -> {
                none.reason().ifPresent(refusals::add);
                yield Optional.empty();
            }
        };
    }

    private InstalledFallbacks.Found found() {
        InstalledFallbacks.Found known = found;
        if (known == null) {
            known = InstalledFallbacks.find(environment.device());
            found = known;
        }
        return known;
    }

    private FallbackProvider provider() {
        if (found() instanceof InstalledFallbacks.Found.Usable usable) {
            return usable.provider();
        }
        throw new IllegalStateException("a fallback without a name was chosen");
    }

    /**
     * Returns this rank's part in setting a class of calls up. Fails on every rank with
     * {@link org.mscclj.api.error.UnsupportedException} if the library does not serve such calls.
     *
     * @param making makes the result, on each rank, before any rank launches
     */
    public <T> Staged<T> stage(FallbackCall call, Supplier<T> making) {
        open.freeForgotten();
        return new StagedFallback<>(this, provider(), call, making);
    }

    /**
     * Prepares a call of a class that is set up. Not collective.
     *
     * @param description describes the call for the recorder
     */
    public PreparedPlan bind(CollectiveCall call, Supplier<OperationDescription> description, Preparation preparation) {
        OpenedFallback library = opened;
        if (library == null) {
            throw new IllegalStateException("the class of the call must be set up before");
        }
        open.freeForgotten();
        List<DeviceBuffer> buffers = buffers(call);
        List<AutoCloseable> retained = new ArrayList<>();
        List<AutoCloseable> resources = new ArrayList<>();
        try {
            OpenOperations.retain(environment.device(), buffers, retained);
            FallbackCommunicator communicator = library.communicator();
            PreparedLaunch launch = library.prepare(stream -> communicator.enqueue(
                    call.collective(), call.input(), call.output(), call.type(), call.op(), call.root(), stream));
            resources.add(launch);
            PreparedPlan prepared = new PreparedPlan(
                    preparation, environment, library.context(), launch, RecordedAs.of(description), resources);
            open.add(prepared, library.context(), resources);
            OpenOperations.handOver(prepared, preparation.hold(), buffers, retained);
            return prepared;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            Resources.closeSuppressing(retained, e);
            throw e;
        }
    }

    /** Returns the buffers that a call reads and writes, a buffer for both once. */
    private static List<DeviceBuffer> buffers(CollectiveCall call) {
        List<DeviceBuffer> buffers = new ArrayList<>(3);
        buffers.add(call.input());
        if (!call.output().equals(call.input())) {
            buffers.add(call.output());
        }
        call.op().memory().ifPresent(buffers::add);
        return buffers;
    }

    ExecutionEnvironment environment() {
        return environment;
    }

    /** Returns the longest time that a call of the library may block. */
    Duration limit() {
        return environment.timeout();
    }

    @Nullable
    OpenedFallback opened() {
        return opened;
    }

    void opened(OpenedFallback by) {
        opened = by;
    }

    /** Closes the operations that are still open. Waits for launches in flight. Replays fail from now on. */
    public void closeOperations() {
        open.closeAll();
    }

    /** Closes the library's communicator. The launches of all ranks must have ended. */
    @Override
    public void close() {
        if (opened != null) {
            opened.close();
        }
    }
}
