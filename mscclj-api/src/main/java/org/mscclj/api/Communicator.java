package org.mscclj.api;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.plan.PlanRegistry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * One rank's view of a group of ranks that communicate.
 *
 * <p>Methods marked <em>collective</em> must be called by all ranks, in the same order and with matching arguments;
 * they block until all ranks have called, and throw {@link org.mscclj.api.error.OperationTimeoutException}, which names
 * the missing ranks, if a rank does not call within the timeout. Launches of one communicator are ordered, also across
 * streams. Several communicators may be used at once; one communicator may be used by one thread at a time, except for
 * {@link #abort}, which any thread may call.
 *
 * <p>The timeout is the communicator's, unless one is passed to the method. A passed timeout is the longest time that
 * the calling rank waits for other ranks in total, through every step of the call; finding the ranks to name may take
 * some seconds more. It may be shorter or longer than the communicator's, and may differ between ranks: each rank uses
 * its own. Objects that the call creates have the communicator's timeout.
 */
public interface Communicator extends AutoCloseable {
    /**
     * Opens this rank's communicator of a group whose ranks are separate processes, on one host or several; threads of
     * one process may be ranks, too. Blocks until all ranks have connected. Collective over the group.
     *
     * <p>When a rank's process ends without closing, or can no longer be reached, every operation in flight and every
     * later call on communicators that it is a member of throws {@link org.mscclj.api.error.RankLostException}, which
     * names it.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks do not connect in time; the exception names them
     * @throws org.mscclj.api.error.InvalidArgumentException if address or secret are missing, or options differ between
     *     ranks
     * @throws org.mscclj.api.error.UnsupportedException if the backend is not available
     */
    static Communicator open(CommunicatorOptions options) {
        Objects.requireNonNull(options, "options");
        return Platform.instance().openCommunicator(options);
    }

    /** {@link #open(CommunicatorOptions)} with {@link CommunicatorOptions#fromEnvironment}. */
    static Communicator open() {
        return open(CommunicatorOptions.fromEnvironment());
    }

    /** This rank, from 0. */
    int rank();

    /** Number of ranks. */
    int size();

    /** The communicator's name, for messages. */
    String name();

    /** Number of ranks per node; the largest if nodes differ. */
    int ranksPerNode();

    /**
     * Timeout of set-up and of {@link Work#join()}; also the longest time from the enqueueing of an operation to its
     * end, after which the watchdog aborts the communicator, unless a setting of the process changes that or the call
     * names a longer timeout.
     */
    Duration timeout();

    /** The capabilities of this communicator, as its backend declares them. They are equal on all ranks. */
    Capabilities capabilities();

    /**
     * Whether switch channels use NVLink multicast: it is turned on, and each rank has a device of its own with
     * multicast. Otherwise {@link Capability#MULTICAST} means its emulation. Equal on all ranks.
     */
    boolean isNvlsSupported();

    /**
     * The ranks of this communicator, in its order, as ranks of the communicator that was opened: for a child of
     * {@link #split} or {@link #shrink}, the ranks of its oldest ancestor; for a communicator that was opened or
     * {@linkplain #reconfigure reconfigured}, 0 to {@code size() - 1}. Unmodifiable.
     */
    List<Integer> worldRanks();

    /** The device that this rank's operations run on. */
    Device device();

    /** The stream used by calls that name none. */
    Stream stream();

    /**
     * Allocates zeroed <em>registered</em> memory: every rank receives a buffer of {@code bytes} bytes, which its peers
     * can access. Collective.
     *
     * @param bytes size in bytes, equal on all ranks
     */
    default DeviceBuffer allocate(long bytes) {
        return allocate(bytes, timeout());
    }

    /**
     * Like {@link #allocate(long)}, but waits at most {@code timeout} instead of the communicator's timeout. A rank
     * whose wait times out withdraws its call; all ranks may then call again.
     *
     * @param bytes size in bytes, equal on all ranks
     * @param timeout the longest time in total that this rank waits for other ranks; may differ between ranks
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks do not call in time; the exception names them
     * @throws org.mscclj.api.error.InvalidArgumentException if the timeout is negative, on this rank alone
     */
    DeviceBuffer allocate(long bytes, Duration timeout);

    /** {@link #register(DeviceBuffer, Duration)} with the communicator's timeout. */
    default void register(DeviceBuffer buffer) {
        register(buffer, timeout());
    }

    /**
     * Registers memory that was allocated otherwise, for example by {@link Device#allocate} or
     * {@link Device#adoptMemory(long, long)}: from now on it is a place, like memory of {@link #allocate}, and peers
     * can access it. It stays registered until the buffer is closed. Collective.
     *
     * @param buffer memory of this rank's device, of equal size on all ranks, which is not registered yet, not even in
     *     part
     * @param timeout the longest time in total that this rank waits for other ranks; may differ between ranks
     * @throws org.mscclj.api.error.InvalidArgumentException if sizes differ, or if a rank's memory is closed or
     *     registered already: on every rank
     * @throws org.mscclj.api.error.UnsupportedException if peers cannot access the memory of a rank: on every rank
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks do not call in time; the exception names them
     */
    void register(DeviceBuffer buffer, Duration timeout);

    /** {@link #warmUp(List, Duration)} with the communicator's timeout. */
    default void warmUp(List<WarmUp> classes) {
        warmUp(classes, timeout());
    }

    /**
     * Sets classes of calls up, as their first calls would do, and launches nothing. From now on, ranks launch calls of
     * these classes without traffic between ranks. {@link CommunicatorOptions#warmUp(List)} does this at opening.
     * Collective.
     *
     * @param classes the classes, equal on all ranks, in equal order
     * @param timeout the longest time in total that this rank waits for other ranks; may differ between ranks
     * @throws org.mscclj.api.error.InvalidArgumentException if classes differ, or one does not suit the number of
     *     ranks: on every rank
     * @throws org.mscclj.api.error.UnsupportedException if no algorithm serves a class: on every rank
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks do not call in time; the exception names them
     */
    void warmUp(List<WarmUp> classes, Duration timeout);

    /**
     * {@link #allocate(long)} of elements of a type. Collective.
     *
     * @param count number of elements, equal on all ranks
     */
    default TypedBuffer allocate(DataType type, long count) {
        return allocate(type, count, timeout());
    }

    /**
     * {@link #allocate(long, Duration)} of elements of a type. Collective.
     *
     * @param count number of elements, equal on all ranks
     * @param timeout the longest time in total that this rank waits for other ranks; may differ between ranks
     */
    default TypedBuffer allocate(DataType type, long count, Duration timeout) {
        return TypedBuffer.of(allocate(TypedBuffer.bytesOf(type, count), timeout), type);
    }

    /**
     * Prepares a plan for the given buffers: allocates scratch and counters, maps peers' memory, and generates code.
     * Collective; launching the result allocates nothing.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the plan does not fit the call, on every rank, before
     *     anything has happened; the communicator stays usable
     */
    PreparedOperation prepare(PlanCall call);

    /** {@link #execute(PlanCall, Stream)} on {@link #stream()}. */
    default Work execute(PlanCall call) {
        return execute(call, stream());
    }

    /**
     * Prepares a plan, launches it once on a stream, and frees the prepared operation when the work has been joined;
     * until then the buffers cannot be closed. Collective. For more than one launch, {@link #prepare} once. The stream
     * may be closed when this method has returned.
     */
    Work execute(PlanCall call, Stream stream);

    /**
     * Explains which algorithm would serve a call, and why each other one would not. Calls nothing and asks no rank:
     * for equal calls the explanations of all ranks are equal. Loads the library of a fallback, if one is installed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the call is not well formed, or names an algorithm that
     *     does not exist
     */
    Selection explain(CollectiveCall call);

    /**
     * Returns what the choice of an algorithm for a call may depend on, for selectors of an application. Calls nothing
     * and asks no rank: buffers of registered memory count as {@linkplain CallShape#registered registered}, as if the
     * other ranks passed equal places, and for equal calls the shapes of all ranks are equal.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the call is not well formed
     */
    CallShape shape(CollectiveCall call);

    /**
     * Returns what choices that are measured with this communicator count for; see
     * {@link org.mscclj.api.tuning.TuningEntry}. Collective the first time; equal on all ranks.
     *
     * @throws org.mscclj.api.error.UnsupportedException if no file of choices can serve the ranks: there is one only,
     *     they are on several nodes, or their devices are of several kinds
     */
    TuningKey tuningKey();

    /**
     * Prepares a collective for the given buffers, with the best algorithm for them. Collective; launching the result
     * allocates nothing. Peers may access buffers from {@link #allocate}, and parts of them at equal offsets, directly;
     * they reach other buffers through scratch. The buffers cannot be closed until the operation is closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if sizes, type, operation, root or overlap do not fit, or
     *     differ between ranks: on every rank, before anything has happened; the communicator stays usable
     * @throws org.mscclj.api.error.UnsupportedException if no algorithm serves the call; the message gives the reason
     *     for each refusal
     */
    PreparedOperation prepare(CollectiveCall call);

    /** {@link #execute(CollectiveCall, Stream)} on {@link #stream()}. */
    default Work execute(CollectiveCall call) {
        return execute(call, stream());
    }

    /**
     * Launches a collective once on a stream. The first call of its class is set up collectively, later ones only
     * launch. The buffers can be closed when the work has ended, and the stream when this method has returned.
     *
     * <p>Calls are of one class if collective, type, operation, root, algorithm and in-place mode are equal, and so is
     * the memory of the buffers: the same memory from {@link #allocate} or {@link #register}, or any other memory. A
     * class is set up once for all sizes that have the same algorithm and number of blocks; see SPEC 8.2. All ranks
     * must pass equal sizes and equal places: the same registered memory at the same offset, or any other memory. In
     * place, the place of the larger buffer counts, since the place of the smaller one depends on the rank.
     *
     * <p>Ranks compare their calls when a class is set up, and not afterwards: other calls are launched without any
     * exchange between ranks. All ranks must therefore make the same calls in the same order. If some make a call that
     * is not set up while others launch one that is, the communicator is aborted. If ranks launch different calls that
     * are set up, also of different sizes, the communicator does not detect it. Where both calls run the same plan, as
     * a sum and a maximum of the same buffers do, results are mixed; otherwise the works do not end, and joining them
     * throws {@link org.mscclj.api.error.OperationTimeoutException}, whose message states that ranks have launched
     * another call, and in which places.
     *
     * @param stream a stream of this rank's device
     * @throws org.mscclj.api.error.InvalidArgumentException if sizes, type, operation, root or overlap do not fit; and,
     *     while a class is set up, if any of them, or places, differ between ranks: then on every rank, before anything
     *     has happened, and the communicator stays usable
     * @throws org.mscclj.api.error.AbortedException if other ranks have launched a call that was set up before, while
     *     this one's is not
     * @throws org.mscclj.api.error.UnsupportedException as {@link #prepare(CollectiveCall)} does, while a class is set
     *     up
     */
    Work execute(CollectiveCall call, Stream stream);

    /** {@link #execute} of {@link CollectiveCall#allReduce(DeviceBuffer, DeviceBuffer, DataType)}. */
    default Work allReduce(DeviceBuffer input, DeviceBuffer output, DataType type, ReduceOp op) {
        return execute(CollectiveCall.allReduce(input, output, type).op(op));
    }

    /** {@link #execute} of {@link CollectiveCall#reduceScatter}. */
    default Work reduceScatter(DeviceBuffer input, DeviceBuffer output, DataType type, ReduceOp op) {
        return execute(CollectiveCall.reduceScatter(input, output, type).op(op));
    }

    /** {@link #execute} of {@link CollectiveCall#allGather}. */
    default Work allGather(DeviceBuffer input, DeviceBuffer output, DataType type) {
        return execute(CollectiveCall.allGather(input, output, type));
    }

    /** {@link #execute} of {@link CollectiveCall#broadcast}. */
    default Work broadcast(DeviceBuffer input, DeviceBuffer output, DataType type, int root) {
        return execute(CollectiveCall.broadcast(input, output, type, root));
    }

    /** {@link #execute} of {@link CollectiveCall#reduce}. */
    default Work reduce(DeviceBuffer input, DeviceBuffer output, DataType type, ReduceOp op, int root) {
        return execute(CollectiveCall.reduce(input, output, type, root).op(op));
    }

    /** {@link #execute} of {@link CollectiveCall#scatter}. */
    default Work scatter(DeviceBuffer input, DeviceBuffer output, DataType type, int root) {
        return execute(CollectiveCall.scatter(input, output, type, root));
    }

    /** {@link #execute} of {@link CollectiveCall#gather}. */
    default Work gather(DeviceBuffer input, DeviceBuffer output, DataType type, int root) {
        return execute(CollectiveCall.gather(input, output, type, root));
    }

    /** {@link #execute} of {@link CollectiveCall#allToAll}. */
    default Work allToAll(DeviceBuffer input, DeviceBuffer output, DataType type) {
        return execute(CollectiveCall.allToAll(input, output, type));
    }

    /**
     * Sum of a buffer over all ranks, in place; {@link #execute} of {@link CollectiveCall#allReduce(TypedBuffer,
     * TypedBuffer)}.
     */
    default Work allReduce(TypedBuffer buffer) {
        Objects.requireNonNull(buffer, "buffer");
        return allReduce(buffer, buffer, ReduceOp.SUM);
    }

    /**
     * Reduction of a buffer over all ranks, in place; {@link #execute} of {@link CollectiveCall#allReduce(TypedBuffer,
     * TypedBuffer)}.
     */
    default Work allReduce(TypedBuffer buffer, ReduceOp op) {
        Objects.requireNonNull(buffer, "buffer");
        return allReduce(buffer, buffer, op);
    }

    /** {@link #execute} of {@link CollectiveCall#allReduce(TypedBuffer, TypedBuffer)}. */
    default Work allReduce(TypedBuffer input, TypedBuffer output, ReduceOp op) {
        return execute(CollectiveCall.allReduce(input, output).op(op));
    }

    /** {@link #execute} of {@link CollectiveCall#reduceScatter(TypedBuffer, TypedBuffer)}. */
    default Work reduceScatter(TypedBuffer input, TypedBuffer output, ReduceOp op) {
        return execute(CollectiveCall.reduceScatter(input, output).op(op));
    }

    /** {@link #execute} of {@link CollectiveCall#allGather(TypedBuffer, TypedBuffer)}. */
    default Work allGather(TypedBuffer input, TypedBuffer output) {
        return execute(CollectiveCall.allGather(input, output));
    }

    /** {@link #execute} of {@link CollectiveCall#broadcast(TypedBuffer, TypedBuffer, int)}. */
    default Work broadcast(TypedBuffer input, TypedBuffer output, int root) {
        return execute(CollectiveCall.broadcast(input, output, root));
    }

    /** {@link #execute} of {@link CollectiveCall#reduce(TypedBuffer, TypedBuffer, int)}. */
    default Work reduce(TypedBuffer input, TypedBuffer output, ReduceOp op, int root) {
        return execute(CollectiveCall.reduce(input, output, root).op(op));
    }

    /** {@link #execute} of {@link CollectiveCall#scatter(TypedBuffer, TypedBuffer, int)}. */
    default Work scatter(TypedBuffer input, TypedBuffer output, int root) {
        return execute(CollectiveCall.scatter(input, output, root));
    }

    /** {@link #execute} of {@link CollectiveCall#gather(TypedBuffer, TypedBuffer, int)}. */
    default Work gather(TypedBuffer input, TypedBuffer output, int root) {
        return execute(CollectiveCall.gather(input, output, root));
    }

    /** {@link #execute} of {@link CollectiveCall#allToAll(TypedBuffer, TypedBuffer)}. */
    default Work allToAll(TypedBuffer input, TypedBuffer output) {
        return execute(CollectiveCall.allToAll(input, output));
    }

    /**
     * The root's buffer becomes every rank's; {@link #execute} of {@link CollectiveCall#broadcast(TypedBuffer,
     * TypedBuffer, int)}, in place.
     */
    default Work broadcast(TypedBuffer buffer, int root) {
        Objects.requireNonNull(buffer, "buffer");
        return broadcast(buffer, buffer, root);
    }

    /**
     * Prepares a batch of sends and receives for any number of launches. Only this rank takes part. A launch matches
     * the launches of the other ends, however those were prepared or executed. The buffers cannot be closed until the
     * operation is closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if a rank does not exist, the bytes that this rank sends to
     *     itself are not the bytes that it receives from itself, or a receive buffer overlaps the buffer of another
     *     send or receive of the batch, since these move in any order
     * @throws org.mscclj.api.error.UnsupportedException if the backend has no point-to-point transfers
     */
    PreparedOperation prepare(TransferCall call);

    /** {@link #execute(TransferCall, Stream)} on {@link #stream()}. */
    default Work execute(TransferCall call) {
        return execute(call, stream());
    }

    /**
     * Launches a batch of sends and receives once on a stream; see {@link #prepare(TransferCall)}. The buffers can be
     * closed when the work has ended, and the stream when this method has returned.
     */
    Work execute(TransferCall call, Stream stream);

    /**
     * Prepares a variable-size reduce-scatter. Collective; launching the result allocates nothing. The buffers cannot
     * be closed until the operation is closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if type, operation or sizes do not fit, or differ between
     *     ranks: on every rank; the communicator stays usable
     */
    PreparedOperation prepare(ReduceScatterCall call);

    /** {@link #execute(ReduceScatterCall, Stream)} on {@link #stream()}. */
    default Work execute(ReduceScatterCall call) {
        return execute(call, stream());
    }

    /**
     * Launches a variable-size reduce-scatter once on a stream. Its parts are calls of classes that are set up like
     * those of other collectives; buffers may lie in any memory. A call whose parts are all empty launches nothing, and
     * the ranks compare it each time. The buffers can be closed when the work has ended, and the stream when this
     * method has returned.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if type, operation or sizes do not fit; and, while
     *     something is set up, if they differ between ranks: then on every rank, before anything has been reduced, and
     *     the communicator stays usable
     * @throws org.mscclj.api.error.AbortedException as {@link #execute(CollectiveCall)} does
     */
    Work execute(ReduceScatterCall call, Stream stream);

    /**
     * Prepares a barrier of streams for any number of launches. Collective; launching the result allocates nothing, and
     * can be captured.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if a hint is refused, on every rank; the communicator stays
     *     usable
     */
    PreparedOperation prepare(BarrierCall call);

    /** {@link #execute(BarrierCall, Stream)} on {@link #stream()}. */
    default Work execute(BarrierCall call) {
        return execute(call, stream());
    }

    /**
     * Launches a barrier of streams once on a stream. The first barrier is set up collectively, later ones only launch.
     * The stream may be closed when this method has returned.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if a hint is refused, or, while it is set up, other ranks
     *     make another call: on every rank; the communicator stays usable
     * @throws org.mscclj.api.error.AbortedException as {@link #execute(CollectiveCall)} does
     */
    Work execute(BarrierCall call, Stream stream);

    /** Returns a factory of variable-size calls, for {@link #execute} and {@link #prepare}. */
    default VariableCalls variable() {
        return new VariableCalls(rank(), size());
    }

    /**
     * Sends a buffer to a rank, which must {@link #receive} an equal number of bytes; {@link #execute} of a batch of
     * one send.
     */
    default Work send(DeviceBuffer buffer, int to) {
        return execute(TransferCall.batch().send(buffer, to));
    }

    /** Receives a buffer that a rank {@linkplain #send sends}; {@link #execute} of a batch of one receive. */
    default Work receive(DeviceBuffer buffer, int from) {
        return execute(TransferCall.batch().receive(buffer, from));
    }

    /**
     * Sends elements to a rank, which must {@link #receive(TypedBuffer, int)} an equal number of bytes;
     * {@link #execute} of a batch of one send of this type.
     */
    default Work send(TypedBuffer buffer, int to) {
        Objects.requireNonNull(buffer, "buffer");
        return execute(TransferCall.batch().send(buffer.bytes(), to).type(buffer.type()));
    }

    /**
     * Receives elements that a rank {@linkplain #send(TypedBuffer, int) sends}; {@link #execute} of a batch of one
     * receive of this type.
     */
    default Work receive(TypedBuffer buffer, int from) {
        Objects.requireNonNull(buffer, "buffer");
        return execute(TransferCall.batch().receive(buffer.bytes(), from).type(buffer.type()));
    }

    /** The plans that {@link #select} chooses from. */
    PlanRegistry plans();

    /** The native algorithms that calls choose from, behind the plans. */
    AlgorithmRegistry algorithms();

    /**
     * The registered plan that serves the call best, by the registry's selector.
     *
     * @throws org.mscclj.api.error.UnsupportedException if none does; the message gives the reason for each refusal
     */
    ExecutionPlan select(Collective collective, DeviceBuffer input, DeviceBuffer output, DataType type, ReduceOp op);

    /**
     * Opens memory of this rank to the other ranks, which can read and write it without action by this rank until the
     * window is closed. Collective; sizes may differ between ranks, and may be 0.
     *
     * @param memory of this rank's device; it cannot be closed while the window is open
     * @throws org.mscclj.api.error.UnsupportedException on every rank, if the backend has no windows (WINDOWS), or if
     *     the memory of a rank cannot be shared
     */
    default Window openWindow(DeviceBuffer memory) {
        return openWindow(memory, timeout());
    }

    /**
     * Like {@link #openWindow(DeviceBuffer)}, but waits at most {@code timeout} instead of the communicator's timeout.
     * A rank whose wait times out withdraws its call; all ranks may then call again. Between nodes, connecting over a
     * transport may take up to another {@code timeout}.
     *
     * @param memory as for the method without a timeout
     * @param timeout the longest time in total that this rank waits for other ranks; may differ between ranks
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks do not call in time; the exception names them
     * @throws org.mscclj.api.error.InvalidArgumentException if the timeout is negative, on this rank alone
     * @throws org.mscclj.api.error.UnsupportedException as for the method without a timeout
     */
    Window openWindow(DeviceBuffer memory, Duration timeout);

    /** Sets up memory, connections, semaphores and channels one by one. */
    ChannelSetup channels();

    /**
     * A communicator of some of the ranks, on this rank's device, with its own flags, scratch and counters; parent and
     * child can be used at once. Collective over this communicator.
     *
     * @param ranks the ranks of the child, in its order, equal on all of its ranks; empty on ranks that take no part
     * @param name the child's name, for messages
     * @return the child; empty on ranks that take no part
     * @throws org.mscclj.api.error.InvalidArgumentException on every rank, if a list is not empty but lacks its own
     *     rank, has a rank twice or one that does not exist, or differs from the list of a rank that it contains
     * @throws org.mscclj.api.error.RankLostException if a rank is lost meanwhile; it is named as a rank of this
     *     communicator
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks are missing; they are named as ranks of this
     *     communicator
     * @throws org.mscclj.api.error.AbortedException if this thread, or that of another rank of the child, was
     *     interrupted; call again
     */
    default Optional<Communicator> split(List<Integer> ranks, String name) {
        return split(ranks, name, timeout());
    }

    /**
     * Like {@link #split(List, String)}, but waits at most {@code timeout} instead of this communicator's timeout: in
     * total for the agreement of all ranks and the set-up of the child. The child has this communicator's timeout.
     *
     * @param ranks as for the method without a timeout
     * @param name as for the method without a timeout
     * @param timeout the longest time in total that this rank waits for other ranks; may differ between ranks
     * @return as for the method without a timeout
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks are missing; they are named as ranks of this
     *     communicator. If a rank of the child times out during its set-up, all ranks of the child throw this
     *     exception; all ranks may call again
     * @throws org.mscclj.api.error.InvalidArgumentException if the timeout is negative, on this rank alone; and as for
     *     the method without a timeout
     * @throws org.mscclj.api.error.RankLostException as for the method without a timeout
     * @throws org.mscclj.api.error.AbortedException as for the method without a timeout
     */
    Optional<Communicator> split(List<Integer> ranks, String name, Duration timeout);

    /** The colour of a rank that takes no part in {@link #split(int, int)}, like {@code MPI_UNDEFINED}. */
    int NO_COLOUR = -1;

    /**
     * Communicators of the ranks that pass equal colours, as {@code MPI_Comm_split} and {@code ncclCommSplit} create
     * them. No rank needs to know which other ranks take part. Their names are this communicator's, a dot, and the
     * colour. All children can be used at once, and beside this communicator. Collective over this communicator.
     *
     * @param colour which child this rank belongs to, 0 or more; {@link #NO_COLOUR} to take no part
     * @param key decides the order of the ranks in the child; ranks with equal keys keep the order that they have here
     * @return the child; empty on ranks that take no part
     * @throws org.mscclj.api.error.InvalidArgumentException on every rank, if a colour is less than {@link #NO_COLOUR},
     *     or if a rank splits by a list
     * @throws org.mscclj.api.error.RankLostException as {@link #split(List, String)}
     * @throws org.mscclj.api.error.OperationTimeoutException as {@link #split(List, String)}
     * @throws org.mscclj.api.error.AbortedException as {@link #split(List, String)}
     */
    default Optional<Communicator> split(int colour, int key) {
        return split(colour, key, name() + "." + colour, timeout());
    }

    /**
     * Like {@link #split(int, int)}, with a name for the child, and waits at most {@code timeout} instead of this
     * communicator's timeout: in total for the agreement of all ranks and the set-up of the child. The child has this
     * communicator's timeout.
     *
     * @param colour as for the method without a timeout
     * @param key as for the method without a timeout
     * @param name the child's name, for messages
     * @param timeout the longest time in total that this rank waits for other ranks; may differ between ranks
     * @return as for the method without a timeout
     * @throws org.mscclj.api.error.InvalidArgumentException if the timeout is negative, on this rank alone; and as for
     *     the method without a timeout
     * @throws org.mscclj.api.error.RankLostException as for the method without a timeout
     * @throws org.mscclj.api.error.OperationTimeoutException as {@link #split(List, String, Duration)}
     * @throws org.mscclj.api.error.AbortedException as for the method without a timeout
     */
    Optional<Communicator> split(int colour, int key, String name, Duration timeout);

    /**
     * A communicator of the remaining ranks, in the old order, on this rank's device. It is for use after a loss
     * ({@link org.mscclj.api.error.RankLostException}), after an abort, or to exclude ranks that do not answer. All
     * ranks but the excluded ones call this method with equal lists; it blocks until all have called. From then on this
     * communicator can only be closed: launches in flight end as after an {@link #abort}, also on excluded ranks that
     * are alive. If the call throws, this communicator does not change, and the ranks may call again, with this list or
     * another one. If two groups of ranks exclude each other and can reach each other, one of them goes on, and the
     * calls of the other one are refused. It is the larger group, or, of groups of equal size, the one with the lowest
     * rank, unless the other group has agreed before.
     *
     * @param excluded ranks of this communicator, without the caller's; may be empty
     * @return the new communicator; its name is this one's and "-shrunk"
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks do not call within the timeout, or others exclude
     *     a rank that does not answer and is not in the list; the exception names them as ranks of this communicator
     * @throws org.mscclj.api.error.RankLostException if a rank that is not excluded is lost; the exception names it.
     *     Where ranks are processes, this exception also names a rank that closes this communicator instead of
     *     completing the call
     * @throws org.mscclj.api.error.AbortedException if this thread was interrupted, or that of another rank while the
     *     new communicator was set up
     * @throws org.mscclj.api.error.InvalidArgumentException if the list has the caller's rank, a rank twice, or one
     *     that does not exist; if the lists of ranks differ in one that is alive, on all of them, except on a group
     *     that goes on; if others exclude the caller
     */
    default Communicator shrink(List<Integer> excluded) {
        return shrink(excluded, timeout());
    }

    /**
     * Like {@link #shrink(List)}, but waits at most {@code timeout} instead of this communicator's timeout: in total
     * for the calls of all ranks and the set-up of the new communicator. The new communicator has this communicator's
     * timeout. When all ranks have set up their parts, they have at least a second to confirm that to each other.
     *
     * @param excluded as for the method without a timeout
     * @param timeout the longest time in total that this rank waits for other ranks; may differ between ranks
     * @return as for the method without a timeout
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks do not call in time, and as for the method
     *     without a timeout; the exception names them as ranks of this communicator
     * @throws org.mscclj.api.error.InvalidArgumentException if the timeout is negative, on this rank alone; and as for
     *     the method without a timeout
     * @throws org.mscclj.api.error.RankLostException as for the method without a timeout
     * @throws org.mscclj.api.error.AbortedException as for the method without a timeout
     */
    Communicator shrink(List<Integer> excluded, Duration timeout);

    /**
     * A communicator of another membership: of ranks of this one, of newcomers, or of both; on this rank's device. It
     * is for use after a loss, after an abort, or to grow. All ranks of this communicator that are members of the
     * quorum call this method, while newcomers {@linkplain CommunicatorOptions#newcomer open} their communicators. It
     * blocks until all members have connected, at most for the timeout. From then on this communicator can only be
     * closed: launches in flight end as after an {@link #abort}, also on ranks that are not members. If the call
     * throws, this communicator does not change; the quorum is used up, and the next attempt needs a new quorum.
     *
     * @return the new communicator; its name is the quorum's id
     * @throws org.mscclj.api.error.OperationTimeoutException if members do not connect in time; the exception names
     *     them as ranks of the new communicator
     * @throws org.mscclj.api.error.RankLostException if a member connected and was lost; the exception names it as a
     *     rank of the new communicator
     * @throws org.mscclj.api.error.InvalidArgumentException if this rank is no member, the quorum has been used, or is
     *     not the one that others have
     * @throws org.mscclj.api.error.UnsupportedException if the ranks are threads of a {@link LocalGroup}
     * @throws org.mscclj.api.error.BackendException if the quorum's store fails before all members have connected
     */
    default Communicator reconfigure(Quorum quorum) {
        return reconfigure(quorum, timeout());
    }

    /**
     * Like {@link #reconfigure(Quorum)}, but waits at most {@code timeout} instead of this communicator's timeout: in
     * total for the members to connect and for the set-up of the new communicator. The new communicator has this
     * communicator's timeout. The first member whose timeout expires ends the call on all members that have connected.
     *
     * @param quorum as for the method without a timeout
     * @param timeout the longest time in total that this rank waits for other ranks; may differ between ranks
     * @return as for the method without a timeout
     * @throws org.mscclj.api.error.OperationTimeoutException if members do not connect in time; the exception names
     *     them as ranks of the new communicator
     * @throws org.mscclj.api.error.InvalidArgumentException if the timeout is negative, on this rank alone; and as for
     *     the method without a timeout
     * @throws org.mscclj.api.error.RankLostException as for the method without a timeout
     * @throws org.mscclj.api.error.UnsupportedException as for the method without a timeout
     * @throws org.mscclj.api.error.BackendException as for the method without a timeout
     */
    Communicator reconfigure(Quorum quorum, Duration timeout);

    /**
     * Returns when all ranks have called. Collective; orders host threads, not device work.
     * {@link #execute(BarrierCall)} orders device work.
     */
    void barrier();

    /**
     * Like {@link #barrier()}, but waits at most {@code timeout} instead of the communicator's timeout. A rank whose
     * wait times out withdraws its call; all ranks may then call again.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks do not call in time; the exception names them
     * @throws org.mscclj.api.error.InvalidArgumentException if the timeout is negative
     */
    void barrier(Duration timeout);

    /**
     * Compares bytes of all ranks. It is for libraries on top of communicators: their collective calls must have equal
     * arguments, and are refused on every rank if the arguments of one rank are bad. Ranks compare the bytes alone;
     * they render descriptions only if the bytes differ. Collective; costs one round of control messages.
     *
     * @param what names the compared value in messages; equal on all ranks
     * @param value supplies the bytes of this rank; an exception that it throws is thrown here, and refuses the call on
     *     all other ranks
     * @param describer renders the bytes of any rank for messages
     * @throws org.mscclj.api.error.InvalidArgumentException on every rank, if the bytes of ranks differ: the message
     *     names the ranks and describes their bytes; or if the supplier of another rank has thrown an exception. The
     *     communicator stays usable
     */
    void requireEqual(String what, Supplier<byte[]> value, Function<byte[], String> describer);

    /**
     * Like {@link #requireEqual(String, Supplier, Function)}, but waits at most {@code timeout} instead of the
     * communicator's timeout. A rank whose wait times out withdraws its call; all ranks may then call again.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if ranks do not call in time; the exception names them
     * @throws org.mscclj.api.error.InvalidArgumentException if the timeout is negative, on this rank alone; and as for
     *     the method without a timeout
     */
    void requireEqual(String what, Supplier<byte[]> value, Function<byte[], String> describer, Duration timeout);

    /**
     * Ends every operation of this communicator, on all ranks; they and later calls throw
     * {@link org.mscclj.api.error.AbortedException}. Any thread may call this; it does not block.
     */
    void abort(String reason);

    /**
     * Adds a hook, which is notified of this communicator's operations from now on until it is removed. Hooks are
     * called in the order in which they were added.
     */
    HookRegistration addHook(CommunicatorHook hook);

    /** Whether this communicator has ended other than by {@link #close} alone: {@link #failure} gives the reason. */
    boolean isAborted();

    /**
     * The reason why this communicator has ended other than by {@link #close} alone, as the exception that its calls
     * throw from then on. The first reason is kept. A reason that arises on another rank after this rank has closed the
     * communicator may appear, too. Safe for any thread; does not block.
     *
     * @return {@link org.mscclj.api.error.RankLostException} if a rank is lost,
     *     {@link org.mscclj.api.error.OperationTimeoutException} if an operation exceeded its timeout,
     *     {@link org.mscclj.api.error.BackendException} if a device of this process has failed, and
     *     {@link org.mscclj.api.error.AbortedException} in all other cases: a rank has aborted it, a transport or a
     *     device of another process has failed, or a communicator without lost ranks has replaced it; empty if it has
     *     not ended
     */
    Optional<MsccljException> failure();

    /**
     * Closes the operations that are still open, and waits for their launches on all streams as
     * {@link PreparedOperation#close} does; then frees all resources. Memory that peers may still access is freed when
     * the last rank of this process has closed. Close prepared operations first. Idempotent.
     */
    @Override
    void close();
}
