package org.mscclj.runtime.foreign;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.Staged;
import org.mscclj.runtime.execution.context.EndingContexts;
import org.mscclj.runtime.execution.context.KindContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.resource.Resources;

/**
 * The native algorithms of a communicator on one rank. Used by one thread at a time; any thread may close buffers of
 * their calls.
 */
public final class RankNatives implements AutoCloseable {
    private static final byte[] NOTHING = {};

    /** The most contexts of classes of calls that are set up; each may keep memory of peers mapped. */
    private static final int MAX_CONTEXTS = 64;

    /** How many contexts of an algorithm stay although no class uses them, so that a prepared call may follow. */
    private static final int KEPT = 8;

    private final ExecutionEnvironment environment;
    private final Supplier<Communicator> communicator;
    private final IdentityHashMap<NativeAlgorithm<?>, NativeCalls<?>> algorithms = new IdentityHashMap<>();
    private final EndingContexts ending;

    /** Removed algorithms whose contexts could not be closed. They are closed with the communicator. */
    private final List<NativeCalls<?>> released = new ArrayList<>();

    /**
     * Creates an object without contexts.
     *
     * @param communicator returns what algorithms get to prepare for calls
     */
    public RankNatives(ExecutionEnvironment environment, Supplier<Communicator> communicator) {
        this.environment = environment;
        this.communicator = communicator;
        this.ending = new EndingContexts(environment.control());
    }

    /** Returns whether classes of calls use more contexts of native algorithms than they may. */
    public static boolean areTooMany(Set<KindContext> contexts) {
        return contexts.stream().filter(NativeContext.class::isInstance).count() > MAX_CONTEXTS;
    }

    /** Returns the contexts of all algorithms, in an order that is equal on all ranks. */
    private Stream<NativeCalls<?>> sorted() {
        return algorithms.values().stream().sorted(Comparator.comparing(NativeCalls::name));
    }

    /** Returns the contexts that no call can use any more, since a rank has closed their memory; equal on all ranks. */
    public Set<KindContext> outdated() {
        return algorithms.values().stream()
                .flatMap(calls -> calls.contexts().stream())
                .filter(NativeContext::isOutdated)
                .collect(Collectors.toSet());
    }

    /**
     * Closes the contexts that no class uses, of which no rank has an operation open, and that are not among the last
     * ones of their algorithm that calls have asked for. Collective if there are such contexts.
     *
     * @param used the contexts that classes use; equal on all ranks
     */
    public void closeUnused(Set<KindContext> used) {
        List<NativeContext<?>> unused = new ArrayList<>();
        sorted().forEach(calls -> {
            List<NativeContext<?>> others = calls.contexts().stream()
                    .filter(context -> !used.contains(context))
                    .toList();
            for (int i = 0; i < others.size(); i++) {
                if (others.get(i).isOutdated() || i < others.size() - KEPT) {
                    unused.add(others.get(i));
                }
            }
        });
        ending.end(unused, ended -> algorithms.values().forEach(calls -> calls.forget(ended)));
    }

    /** Returns the context of a kind of calls that is set up. */
    public KindContext context(NativeAlgorithm<?> algorithm, CallKind kind) {
        return of(algorithm).context(kind);
    }

    private NativeCalls<?> of(NativeAlgorithm<?> algorithm) {
        return algorithms.computeIfAbsent(algorithm, own -> new NativeCalls<>(environment, own));
    }

    /**
     * Returns this rank's part in setting a kind of calls up.
     *
     * @param making makes the result, on each rank, before any rank launches; if it throws, the set-up fails on every
     *     rank
     * @param undoing closes the result if another rank fails
     */
    public <T> Staged<T> stage(NativeAlgorithm<?> algorithm, CallKind kind, Supplier<T> making, Consumer<T> undoing) {
        return new Staged<>() {
            private final List<T> made = new ArrayList<>();

            @Override
            public byte[] describe() {
                return of(algorithm).closedMemory();
            }

            @Override
            public T finish(List<Message> described) {
                NativeCalls<?> calls = of(algorithm);
                calls.outdate(described);
                if (!calls.isInitialised()) {
                    exchange(TopicKind.INITIALISE_NATIVE, algorithm, () -> calls.initialise(communicator.get()));
                    calls.keep();
                }
                exchange(TopicKind.NATIVE_CONTEXT, algorithm, () -> {
                    calls.require(communicator.get(), kind);
                    made.add(making.get()); // here, so that a failure on one rank is a failure on all
                });
                calls.keep();
                return made.getFirst();
            }

            @Override
            public void abandon(Throwable cause) {
                made.forEach(one -> Resources.closeSuppressing(List.of(() -> undoing.accept(one)), cause));
                NativeCalls<?> calls = algorithms.get(algorithm);
                if (calls != null) {
                    calls.abandon(cause);
                }
            }
        };
    }

    /** Does something on all ranks, and fails on all of them if it fails on one. */
    private void exchange(TopicKind step, NativeAlgorithm<?> algorithm, Runnable doing) {
        Exchange.gather(environment.control(), Topic.of(step, algorithm.name()), () -> {
            doing.run();
            return NOTHING;
        });
    }

    /** Prepares a call of a kind that is set up. Not collective. */
    public PreparedCall bind(
            NativeAlgorithm<?> algorithm,
            CallKind kind,
            CollectiveCall call,
            LaunchSize size,
            Supplier<OperationDescription> description,
            Preparation preparation) {
        return of(algorithm).bind(kind, call, size, description, preparation);
    }

    /** Closes the operations and the contexts of an algorithm, and itself. Waits for its launches. */
    public void release(NativeAlgorithm<?> algorithm) {
        NativeCalls<?> calls = algorithms.remove(algorithm); // also if the rest fails on this rank alone
        if (calls != null) {
            released.add(calls);
            calls.release();
            calls.close();
            released.remove(calls);
        }
    }

    /** Closes the operations that are still open. Waits for launches in flight. Replays fail from now on. */
    public void closeOperations() {
        List<AutoCloseable> closings = new ArrayList<>();
        algorithms.values().forEach(calls -> closings.add(calls::closeOperations));
        Resources.close(closings);
    }

    /** Closes the contexts. The launches of all ranks must have ended. */
    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(algorithms.values());
        all.addAll(released);
        all.addFirst(ending); // closed last
        Resources.close(all);
    }
}
