package org.mscclj.api;

import java.util.Optional;
import org.mscclj.api.algorithm.AllowedArguments;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;

/**
 * A collective that an application writes itself, with kernels and channels of its own. Register one with
 * {@link Communicator#algorithms}, equally on all ranks, or provide it to the {@link java.util.ServiceLoader}, which
 * gives each communicator an object of its own: then calls may be served by it as by a plan. Its launches keep the
 * order of the communicator's launches, are recorded and watched, and can be captured in graphs.
 *
 * <p>A communicator calls the methods of an algorithm by one thread at a time. An object serves one communicator of one
 * rank. The model is MSCCL++'s native algorithm with its four hooks. Its contexts there belong to addresses, which may
 * differ between ranks; here they belong to what is equal on all ranks.
 *
 * @param <C> what a set-up makes
 */
public interface NativeAlgorithm<C extends AutoCloseable> extends AutoCloseable {
    /** Returns the name by which a call names it: not that of a shipped program, nor of a fallback or another one. */
    String name();

    /** Returns the collective. */
    Collective collective();

    /** Returns the reason why it cannot serve a call of its collective; empty if it can. Equal on all ranks. */
    Optional<String> refusal(CallShape shape);

    /**
     * Returns whether it serves only calls that name it. Equal on all ranks. Initially false: it may serve any call.
     */
    default boolean onlyByName() {
        return false;
    }

    /**
     * Returns the launch sizes and arguments that it takes. A call that asks for others is refused, with this list.
     * Equal on all ranks. Initially none: calls choose neither blocks nor threads, and have no further arguments.
     */
    default AllowedArguments allowedArguments() {
        return AllowedArguments.NONE;
    }

    /**
     * Prepares for calls, for example compiles kernels and connects channels. Called once, by all ranks together,
     * before the first {@link #context}. If it throws on a rank, the call fails on all ranks, and all of them call
     * {@link #close}. The next call then initialises the algorithm again.
     */
    default void initialise(Communicator communicator) {}

    /**
     * Returns the key of a context: calls whose keys are equal share one. Equal on all ranks. Initially each kind has a
     * context of its own; an algorithm that accesses no buffers of peers may return a constant.
     */
    default Object key(CallKind kind) {
        return kind;
    }

    /**
     * Creates what calls of a kind need, for example channels to the registered memory of peers. Called by all ranks
     * together. If it throws on a rank, the call fails on all ranks, the others close their contexts, and the next call
     * creates them again; a rank that waits here for the one that failed waits until its timeout.
     *
     * <p>The context is closed when its launches have ended and no open operation or graph needs it: when the algorithm
     * is removed, when the communicator is closed, or before that when other kinds of calls have followed or, if its
     * {@link #key} is the kind, a rank has closed memory of the kind. A later call creates it again. Until then memory
     * that it uses cannot be closed.
     */
    C context(Communicator communicator, CallKind kind);

    /**
     * Enqueues a call. It must not wait for the device or for other ranks, nor call the communicator. During a capture
     * the work becomes part of the graph.
     *
     * <p>Kernels end where a wait of a channel ends without a signal. If a rank has closed its communicator without
     * this launch, {@link Work#join()} throws {@link org.mscclj.api.error.RankLostException}.
     *
     * @param call its buffers have sizes that fit the collective; registered ones lie in the memory of the kind. Its
     *     {@linkplain CollectiveCall#arguments arguments} are allowed
     * @param size the blocks and threads that the call asks for, which are allowed; 0 where it leaves the choice to the
     *     algorithm
     * @throws RuntimeException if nothing was enqueued. If a part was, the communicator's next launch follows it, and
     *     the buffers must stay until it has ended
     */
    void launch(C context, CollectiveCall call, LaunchSize size, Stream stream);

    /**
     * Frees what {@link #initialise} has made, also where that has failed halfway. Called after all contexts have been
     * closed; a later {@link #initialise} may follow.
     */
    @Override
    default void close() {}
}
