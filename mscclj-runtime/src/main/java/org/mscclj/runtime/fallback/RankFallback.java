package org.mscclj.runtime.fallback;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.type.Collective;
import org.mscclj.runtime.execution.Staged;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedPlan;
import org.mscclj.runtime.foreign.ForeignOperations;
import org.mscclj.spi.fallback.FallbackProvider;

/**
 * The fallback of a communicator on one rank. Used by one thread at a time; any thread may close buffers of its calls.
 */
public final class RankFallback implements FallbackCandidate, AutoCloseable {
    /** What a library gets as its limit where the communicator has none. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final ExecutionEnvironment environment;
    private final Set<Collective> forced;
    private final ForeignOperations calls;
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
        this.calls = new ForeignOperations(environment);
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
     * @param making makes the result, on each rank, before any rank launches; if it throws, the set-up fails on every
     *     rank
     * @param undoing closes the result if another rank fails
     */
    public <T> Staged<T> stage(FallbackCall call, Supplier<T> making, Consumer<T> undoing) {
        calls.freeForgotten();
        return new StagedFallback<>(this, provider(), call, making, undoing);
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
        return calls.bind(library.launches(), call, stream -> library.enqueue(call, stream), description, preparation);
    }

    ExecutionEnvironment environment() {
        return environment;
    }

    /** Returns the longest time that a call of the library may block; the call's own timeout may be shorter. */
    Duration limit() {
        return environment.timeout().compareTo(LONGEST) < 0 ? environment.timeout() : LONGEST;
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
        calls.closeOperations();
    }

    /** Closes the library's communicator. The launches of all ranks must have ended. */
    @Override
    public void close() {
        if (opened != null) {
            opened.close();
        }
    }
}
