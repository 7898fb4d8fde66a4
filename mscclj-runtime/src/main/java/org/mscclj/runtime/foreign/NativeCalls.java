package org.mscclj.runtime.foreign;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.Preparation;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.ForeignContext;
import org.mscclj.spi.engine.ForeignSpec;

/**
 * The contexts and operations of a native algorithm in one communicator.
 *
 * @param <C> the type of a context
 */
final class NativeCalls<C extends AutoCloseable> implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final NativeAlgorithm<C> algorithm;
    private final ForeignOperations calls;

    /** By key, the one that was asked for last at the end. The order is equal on all ranks between set-ups. */
    private final Map<Object, NativeContext<C>> contexts = new LinkedHashMap<>();

    /** Undoes what this rank has made and not all ranks are known to have made. */
    private final List<AutoCloseable> undoing = new ArrayList<>();

    private boolean initialised;
    private @Nullable ForeignContext engine;
    private @Nullable Object asked;

    NativeCalls(ExecutionEnvironment environment, NativeAlgorithm<C> algorithm) {
        this.environment = environment;
        this.algorithm = algorithm;
        this.calls = new ForeignOperations(environment);
    }

    /** Returns the name of the algorithm. */
    String name() {
        return algorithm.name();
    }

    /** Returns whether all ranks have initialised the algorithm; equal on all ranks between set-ups. */
    boolean isInitialised() {
        return initialised;
    }

    /** Initialises the algorithm. Collective; {@link #keep} or {@link #abandon} follows. */
    void initialise(Communicator communicator) {
        undoing.add(
                () -> { // before: it may fail halfway
                    initialised = false;
                    algorithm.close();
                });
        algorithm.initialise(communicator);
        initialised = true;
    }

    /**
     * Makes the context of a kind of calls, if there is none. Collective; {@link #keep} or {@link #abandon} follows.
     */
    void require(Communicator communicator, CallKind kind) {
        calls.freeForgotten();
        Object key = algorithm.key(kind);
        if (!contexts.containsKey(key)) {
            NativeContext<C> context = new NativeContext<>(
                    algorithm.context(communicator, kind),
                    new ForeignLaunches(engine(), true), // kernels end when the wait of a channel for such a peer does
                    environment.links()::drain);
            contexts.put(key, context);
            undoing.add(() -> {
                contexts.remove(key);
                context.close();
            });
            if (key instanceof CallKind own) {
                context.belongTo(own, environment.device());
            }
        }
        asked = key;
    }

    private ForeignContext engine() {
        ForeignContext known = engine;
        if (known == null) {
            known = environment
                    .device()
                    .planEngine()
                    .open(new ForeignSpec(
                            algorithm.name(),
                            environment.control().rank(),
                            environment.order(),
                            environment.abort(),
                            Optional::empty,
                            this::closeContexts));
            engine = known;
        }
        return known;
    }

    /** Keeps what was made. All ranks must have made it. */
    void keep() {
        undoing.clear();
        NativeContext<C> last = asked == null ? null : contexts.remove(asked);
        if (asked != null && last != null) {
            contexts.put(asked, last);
        }
        asked = null;
    }

    /** Returns, for each context, whether this rank has closed memory of its kind. */
    byte[] closedMemory() {
        byte[] closed = new byte[contexts.size()];
        int i = 0;
        for (NativeContext<C> context : contexts.values()) {
            closed[i++] = (byte) (context.isMemoryClosed() ? 1 : 0);
        }
        return closed;
    }

    /** Marks the contexts of which a rank has closed memory. */
    void outdate(List<Message> closedOfRanks) {
        int i = 0;
        for (NativeContext<C> context : contexts.values()) {
            for (Message closed : closedOfRanks) {
                byte[] bytes = closed.bytes();
                if (i < bytes.length && bytes[i] != 0) { // another number fails in the next exchange
                    context.outdate();
                }
            }
            i++;
        }
    }

    /** Returns the contexts, the one that was asked for last at the end. */
    List<NativeContext<?>> contexts() {
        return List.copyOf(contexts.values());
    }

    /** Removes contexts that end. */
    void forget(List<NativeContext<?>> ended) {
        contexts.values().removeAll(ended);
    }

    /** Returns the context of a kind that is set up. */
    NativeContext<C> context(CallKind kind) {
        NativeContext<C> context = contexts.get(algorithm.key(kind));
        if (context == null) {
            throw new IllegalStateException(algorithm.name()
                    + ": the key of a kind of calls has changed since its set-up; return equal keys for equal kinds");
        }
        return context;
    }

    /** Closes what was made since {@link #keep}, as another rank has failed: the next call makes it on all ranks. */
    void abandon(Throwable cause) {
        List<AutoCloseable> alone = List.copyOf(undoing);
        undoing.clear();
        asked = null;
        Resources.closeSuppressing(alone, cause); // last first
    }

    /** Prepares a call of a kind that is set up. Not collective. */
    PreparedCall bind(
            CallKind kind,
            CollectiveCall call,
            LaunchSize size,
            Supplier<OperationDescription> description,
            Preparation preparation) {
        NativeContext<C> context = context(kind);
        return calls.bind(
                context.launches(),
                call,
                stream -> algorithm.launch(context.made(), call, size, stream),
                description,
                preparation);
    }

    /** Closes all operations, as before the contexts are closed. Waits for launches in flight. */
    void release() {
        calls.release();
    }

    /** Closes the operations that are still open. Waits for launches in flight. Replays fail from now on. */
    void closeOperations() {
        calls.closeOperations();
    }

    /** Closes the contexts. The launches of all ranks must have ended. */
    @Override
    public void close() {
        if (engine == null) {
            closeContexts(); // of a set-up that failed
        } else {
            engine.close();
        }
    }

    private void closeContexts() {
        List<AutoCloseable> owned = new ArrayList<>();
        if (initialised) {
            initialised = false;
            owned.add(algorithm);
        }
        owned.addAll(contexts.values());
        contexts.clear();
        Resources.close(owned); // last first
    }
}
