package org.mscclj.api;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A call of an {@link Algorithm}, with all arguments of MSCCL++'s {@code Algorithm.execute}. Sizes are those of the
 * buffers.
 *
 * @param op {@link ReduceOp#NOP} for a collective without a reduction
 * @param root the root; 0 if the collective has none
 * @param stream the stream; empty for the communicator's own
 * @param blocks thread blocks of each rank; 0 for the number that is best for the size. Equal on all ranks
 * @param threadsPerBlock threads of a block; 0 for the algorithm's choice. Equal on all ranks
 * @param symmetricMemory whether the buffers lie at equal offsets in memory that all ranks have allocated together. A
 *     communicator knows that of its own memory, so only native algorithms read this. Equal on all ranks
 * @param extras further parameters of a native algorithm. Their names are equal on all ranks
 * @param accumulationType the type of sums; empty for the one that {@code docs/SPEC.md} states, or that a native
 *     algorithm chooses. Equal on all ranks
 */
public record AlgorithmCall(
        Communicator communicator,
        DeviceBuffer input,
        DeviceBuffer output,
        DataType type,
        ReduceOp op,
        int root,
        Optional<Stream> stream,
        int blocks,
        int threadsPerBlock,
        boolean symmetricMemory,
        Map<String, Long> extras,
        Optional<DataType> accumulationType) {
    /** Checks the values, and copies the map. */
    public AlgorithmCall {
        Objects.requireNonNull(communicator, "communicator");
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        Objects.requireNonNull(stream, "stream");
        Objects.requireNonNull(accumulationType, "accumulationType");
        extras = Map.copyOf(extras);
        if (blocks < 0) {
            throw InvalidArgumentException.of("blocks", blocks, "1 or more, or 0 for the best number");
        }
        if (threadsPerBlock < 0) {
            throw InvalidArgumentException.of(
                    "threadsPerBlock", threadsPerBlock, "1 or more, or 0 for the algorithm's choice");
        }
    }

    /** Creates a call without a reduction, on the communicator's own stream, with as many blocks as are best. */
    public AlgorithmCall(Communicator communicator, DeviceBuffer input, DeviceBuffer output, DataType type) {
        this(
                communicator,
                input,
                output,
                type,
                ReduceOp.NOP,
                0,
                Optional.empty(),
                0,
                0,
                false,
                Map.of(),
                Optional.empty());
    }

    /** Returns a copy with a reduction. */
    public AlgorithmCall op(ReduceOp changed) {
        return with(changed, root, stream, blocks, threadsPerBlock, arguments());
    }

    /** Returns a copy with a root. */
    public AlgorithmCall root(int changed) {
        return with(op, changed, stream, blocks, threadsPerBlock, arguments());
    }

    /** Returns a copy on a stream. */
    public AlgorithmCall stream(Stream changed) {
        return with(op, root, Optional.of(changed), blocks, threadsPerBlock, arguments());
    }

    /** Returns a copy with numbers of blocks, and of threads in each. */
    public AlgorithmCall blocks(int changed, int threads) {
        return with(op, root, stream, changed, threads, arguments());
    }

    /** Returns a copy with the statement of symmetric memory, an accumulation type, and extra parameters. */
    public AlgorithmCall arguments(NativeArguments changed) {
        return with(op, root, stream, blocks, threadsPerBlock, changed);
    }

    /** Returns the statement of symmetric memory, the accumulation type, and the extra parameters. */
    public NativeArguments arguments() {
        return new NativeArguments(symmetricMemory, accumulationType, extras);
    }

    private AlgorithmCall with(
            ReduceOp newOp,
            int newRoot,
            Optional<Stream> newStream,
            int newBlocks,
            int newThreads,
            NativeArguments newArguments) {
        return new AlgorithmCall(
                communicator,
                input,
                output,
                type,
                newOp,
                newRoot,
                newStream,
                newBlocks,
                newThreads,
                newArguments.symmetricMemory(),
                newArguments.extras(),
                newArguments.accumulationType());
    }
}
