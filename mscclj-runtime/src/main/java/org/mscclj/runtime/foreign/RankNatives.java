package org.mscclj.runtime.foreign;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

    private final ExecutionEnvironment environment;
    private final Supplier<Communicator> communicator;
    private final IdentityHashMap<NativeAlgorithm<?>, NativeCalls<?>> algorithms = new IdentityHashMap<>();

    /**
     * Creates an object without contexts.
     *
     * @param communicator returns what algorithms get to prepare for calls
     */
    public RankNatives(ExecutionEnvironment environment, Supplier<Communicator> communicator) {
        this.environment = environment;
        this.communicator = communicator;
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
                return NOTHING;
            }

            @Override
            public T finish(List<Message> described) {
                NativeCalls<?> calls = of(algorithm);
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
        NativeCalls<?> calls = algorithms.get(algorithm);
        if (calls != null) {
            calls.release(); // if that fails, closing the communicator closes the contexts
            algorithms.remove(algorithm);
            calls.close();
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
        Resources.close(List.copyOf(algorithms.values()));
    }
}
