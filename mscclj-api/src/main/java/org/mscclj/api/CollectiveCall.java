package org.mscclj.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A collective call: the collective, its buffers, and its options. The communicator chooses the algorithm. Immutable;
 * start from a factory method and refine.
 *
 * <p>The sizes of the buffers are the sizes of the call. A buffer holds a whole number of elements, which may be 0. A
 * buffer that holds one part for each of {@code n} ranks has {@code n} times the size of one that holds one part. Input
 * and output are the same range (in place), or in place in the way that each factory method states, or do not overlap.
 *
 * @param collective what to compute
 * @param input this rank's input
 * @param output this rank's output
 * @param type element type, equal on all ranks
 * @param op how contributions are combined; {@link ReduceOp#NOP} for collectives that only move data
 * @param root the rank that a rooted collective starts from or ends at, 0 for others
 * @param algorithm the name of the algorithm to use; empty to let the communicator choose
 * @param arguments arguments for native algorithms that allow them; equal on all ranks, except for the values of extra
 *     parameters
 * @param options timeout and hints of this call
 */
public record CollectiveCall(
        Collective collective,
        DeviceBuffer input,
        DeviceBuffer output,
        DataType type,
        ReduceOp op,
        int root,
        Optional<String> algorithm,
        NativeArguments arguments,
        CallOptions options) {
    /** Checks that nothing is null. */
    public CollectiveCall {
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        Objects.requireNonNull(algorithm, "algorithm");
        Objects.requireNonNull(arguments, "arguments");
        Objects.requireNonNull(options, "options");
    }

    /** A call without arguments for native algorithms, with the communicator's timeout and without hints. */
    public CollectiveCall(
            Collective collective,
            DeviceBuffer input,
            DeviceBuffer output,
            DataType type,
            ReduceOp op,
            int root,
            Optional<String> algorithm) {
        this(collective, input, output, type, op, root, algorithm, NativeArguments.NONE, CallOptions.NONE);
    }

    /**
     * Every output becomes the reduction over all inputs: the sum, unless {@link #op(ReduceOp)} sets another operation.
     */
    public static CollectiveCall allReduce(DeviceBuffer input, DeviceBuffer output, DataType type) {
        return of(Collective.ALLREDUCE, input, output, type, 0);
    }

    /** The buffer becomes the reduction over all buffers. */
    public static CollectiveCall allReduce(DeviceBuffer buffer, DataType type) {
        return allReduce(buffer, buffer, type);
    }

    /**
     * Output {@code r} becomes part {@code r} of the reduction over all inputs. In place if the output is part
     * {@code r} of rank {@code r}'s input, whose other parts are undefined afterwards.
     *
     * @param input {@code n} parts
     * @param output one part
     */
    public static CollectiveCall reduceScatter(DeviceBuffer input, DeviceBuffer output, DataType type) {
        return of(Collective.REDUCESCATTER, input, output, type, 0);
    }

    /**
     * Every output becomes all inputs in rank order. In place if the input is part {@code r} of rank {@code r}'s
     * output.
     *
     * @param input one part
     * @param output {@code n} parts
     */
    public static CollectiveCall allGather(DeviceBuffer input, DeviceBuffer output, DataType type) {
        return of(Collective.ALLGATHER, input, output, type, 0);
    }

    /** Every output becomes the root's input. In place if input and output are one range. */
    public static CollectiveCall broadcast(DeviceBuffer input, DeviceBuffer output, DataType type, int root) {
        return of(Collective.BROADCAST, input, output, type, root);
    }

    /**
     * The root's output becomes the reduction over all inputs: the sum, unless {@link #op(ReduceOp)} sets another
     * operation. The outputs of the other ranks do not change. In place if input and output are the same range, which
     * keeps its content on all ranks but the root.
     */
    public static CollectiveCall reduce(DeviceBuffer input, DeviceBuffer output, DataType type, int root) {
        return of(Collective.REDUCE, input, output, type, root);
    }

    /**
     * Output {@code r} becomes part {@code r} of the root's input; the inputs of the other ranks are not read. In place
     * if the output is part {@code r} of rank {@code r}'s input, whose other parts are undefined afterwards.
     *
     * @param input {@code n} parts, on every rank
     * @param output one part
     */
    public static CollectiveCall scatter(DeviceBuffer input, DeviceBuffer output, DataType type, int root) {
        return of(Collective.SCATTER, input, output, type, root);
    }

    /**
     * The root's output becomes all inputs in rank order. The outputs of the other ranks do not change. In place if the
     * input is part {@code r} of rank {@code r}'s output.
     *
     * @param input one part
     * @param output {@code n} parts, on every rank
     */
    public static CollectiveCall gather(DeviceBuffer input, DeviceBuffer output, DataType type, int root) {
        return of(Collective.GATHER, input, output, type, root);
    }

    /**
     * Part {@code k} of output {@code r} becomes part {@code r} of input {@code k}. In place if input and output are
     * one range.
     *
     * @param input {@code n} parts
     * @param output {@code n} parts
     */
    public static CollectiveCall allToAll(DeviceBuffer input, DeviceBuffer output, DataType type) {
        return of(Collective.ALLTOALL, input, output, type, 0);
    }

    /** {@link #allReduce(DeviceBuffer, DeviceBuffer, DataType)} of typed buffers, whose types must be equal. */
    public static CollectiveCall allReduce(TypedBuffer input, TypedBuffer output) {
        DataType type = commonType(input, output);
        return allReduce(input.bytes(), output.bytes(), type);
    }

    /** {@link #reduceScatter(DeviceBuffer, DeviceBuffer, DataType)} of typed buffers, whose types must be equal. */
    public static CollectiveCall reduceScatter(TypedBuffer input, TypedBuffer output) {
        DataType type = commonType(input, output);
        return reduceScatter(input.bytes(), output.bytes(), type);
    }

    /** {@link #allGather(DeviceBuffer, DeviceBuffer, DataType)} of typed buffers, whose types must be equal. */
    public static CollectiveCall allGather(TypedBuffer input, TypedBuffer output) {
        DataType type = commonType(input, output);
        return allGather(input.bytes(), output.bytes(), type);
    }

    /** {@link #broadcast(DeviceBuffer, DeviceBuffer, DataType, int)} of typed buffers, whose types must be equal. */
    public static CollectiveCall broadcast(TypedBuffer input, TypedBuffer output, int root) {
        DataType type = commonType(input, output);
        return broadcast(input.bytes(), output.bytes(), type, root);
    }

    /** {@link #reduce(DeviceBuffer, DeviceBuffer, DataType, int)} of typed buffers, whose types must be equal. */
    public static CollectiveCall reduce(TypedBuffer input, TypedBuffer output, int root) {
        DataType type = commonType(input, output);
        return reduce(input.bytes(), output.bytes(), type, root);
    }

    /** {@link #scatter(DeviceBuffer, DeviceBuffer, DataType, int)} of typed buffers, whose types must be equal. */
    public static CollectiveCall scatter(TypedBuffer input, TypedBuffer output, int root) {
        DataType type = commonType(input, output);
        return scatter(input.bytes(), output.bytes(), type, root);
    }

    /** {@link #gather(DeviceBuffer, DeviceBuffer, DataType, int)} of typed buffers, whose types must be equal. */
    public static CollectiveCall gather(TypedBuffer input, TypedBuffer output, int root) {
        DataType type = commonType(input, output);
        return gather(input.bytes(), output.bytes(), type, root);
    }

    /** {@link #allToAll(DeviceBuffer, DeviceBuffer, DataType)} of typed buffers, whose types must be equal. */
    public static CollectiveCall allToAll(TypedBuffer input, TypedBuffer output) {
        DataType type = commonType(input, output);
        return allToAll(input.bytes(), output.bytes(), type);
    }

    private static DataType commonType(TypedBuffer input, TypedBuffer output) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        if (input.type() != output.type()) {
            throw InvalidArgumentException.of("output", output, "elements of " + input.type() + ", like the input");
        }
        return input.type();
    }

    private static CollectiveCall of(
            Collective collective, DeviceBuffer input, DeviceBuffer output, DataType type, int root) {
        return new CollectiveCall(
                collective,
                input,
                output,
                type,
                collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP,
                root,
                Optional.empty());
    }

    /**
     * Returns a copy with another reduce operation.
     *
     * @throws InvalidArgumentException if the collective does not reduce
     */
    public CollectiveCall op(ReduceOp op) {
        Objects.requireNonNull(op, "op");
        if (!collective.reduces()) {
            throw InvalidArgumentException.of("operation", op, "none, because " + collective + " combines nothing");
        }
        return new CollectiveCall(collective, input, output, type, op, root, algorithm, arguments, options);
    }

    /**
     * Returns a copy with the algorithm of the given name, equal on all ranks: of a registered plan, of a native
     * algorithm, of a shipped program, or of a fallback. A program and a native algorithm may be followed by a number
     * of thread blocks of each rank, as {@code packets@8}; see {@link LaunchSize}.
     */
    public CollectiveCall algorithm(String name) {
        return new CollectiveCall(
                collective,
                input,
                output,
                type,
                op,
                root,
                Optional.of(Objects.requireNonNull(name, "algorithm")),
                arguments,
                options);
    }

    /**
     * Returns a copy with other arguments for native algorithms. The communicator refuses a call for which no algorithm
     * takes them.
     */
    public CollectiveCall arguments(NativeArguments changed) {
        return new CollectiveCall(collective, input, output, type, op, root, algorithm, changed, options);
    }

    /** Returns a copy with other options. */
    public CollectiveCall options(CallOptions changed) {
        return new CollectiveCall(collective, input, output, type, op, root, algorithm, arguments, changed);
    }

    /**
     * Returns a copy with a timeout in place of the communicator's; see {@link CallOptions}.
     *
     * @throws InvalidArgumentException if it is negative; zero means none
     */
    public CollectiveCall timeout(Duration limit) {
        return options(options.timeout(limit));
    }

    /**
     * Returns a copy with one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public CollectiveCall hint(String key, String value) {
        return options(options.hint(key, value));
    }
}
