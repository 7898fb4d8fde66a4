package org.mscclj.runtime.fallback;

import java.time.Duration;
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
import org.mscclj.runtime.execution.operation.PreparedCall;
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
    private Optional<InstalledFallbacks.Found> found = Optional.empty();
    private boolean searched;
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
    public Optional<Found> find(FallbackCall call) {
        return found().map(one -> new Found(
                one.provider().name(),
                one.isUsable(),
                one.problem()
                        .or(() -> one.provider()
                                .refusal(
                                        call.collective(),
                                        call.type(),
                                        call.op(),
                                        call.inPlace(),
                                        environment.control().size()))));
    }

    private Optional<InstalledFallbacks.Found> found() {
        if (!searched) {
            found = InstalledFallbacks.find(environment.device());
            searched = true;
        }
        return found;
    }

    private FallbackProvider provider() {
        return found().filter(InstalledFallbacks.Found::isUsable)
                .map(InstalledFallbacks.Found::provider)
                .orElseThrow(() -> new IllegalStateException("a fallback that cannot be used was chosen"));
    }

    /**
     * Returns this rank's part in setting a class of calls up, which the library serves.
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
    public PreparedCall bind(CollectiveCall call, Supplier<OperationDescription> description, Preparation preparation) {
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

    void opened(OpenedFallback made) {
        opened = made;
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
