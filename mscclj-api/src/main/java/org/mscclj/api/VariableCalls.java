package org.mscclj.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Factory of variable-size collectives, whose parts are separate buffers or have different sizes. All ranks make one
 * and the same call; the size of a part is equal at its source and at its destination. Parts of 0 bytes are skipped.
 * Parts move in any order, so outputs overlap neither each other nor inputs, and {@link #allToAll} does not run in
 * place; an output may be the input that the rank has for itself.
 *
 * <p>Collectives that only move data are batches of sends and receives: each rank knows only its own sizes, and each
 * call may have new sizes without another set-up. {@link #reduceScatter}, which all ranks call with equal sizes, is set
 * up for each size.
 *
 * @param rank the rank that makes the calls
 * @param size number of ranks
 */
public record VariableCalls(int rank, int size) {
    private static final int NO_ROOT = -1;

    /**
     * Output {@code r} becomes rank {@code r}'s input.
     *
     * @param outputs one buffer for each rank
     */
    public TransferCall allGather(DeviceBuffer input, List<DeviceBuffer> outputs) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(outputs, "outputs");
        requireOneForEach("outputs", outputs.size());
        TransferCall call = partOf(Collective.ALLGATHER);
        for (int peer : fromNext()) {
            call = send(call, input, peer);
            call = receive(call, outputs.get(peer), peer);
        }
        return call;
    }

    /**
     * All-gather into contiguous parts of one buffer. The input may be this rank's part of it.
     *
     * @param counts elements from each rank, equal on all ranks
     * @throws InvalidArgumentException if there is not one for each rank, one is negative, the output is too small, or
     *     the input does not have the size of this rank's count
     */
    public TransferCall allGather(DeviceBuffer input, DeviceBuffer output, List<Long> counts, DataType type) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(counts, "counts");
        Objects.requireNonNull(type, "type");
        List<DeviceBuffer> outputs = parts("output", output, counts, type);
        requireOwnCount("allGather: the input", input, outputs);
        return allGather(input, outputs).type(type);
    }

    /**
     * Output {@code r} becomes rank {@code r}'s input for this rank.
     *
     * @param inputs one buffer for each rank
     * @param outputs one buffer for each rank
     */
    public TransferCall allToAll(List<DeviceBuffer> inputs, List<DeviceBuffer> outputs) {
        Objects.requireNonNull(inputs, "inputs");
        Objects.requireNonNull(outputs, "outputs");
        requireOneForEach("inputs", inputs.size());
        requireOneForEach("outputs", outputs.size());
        TransferCall call = partOf(Collective.ALLTOALL);
        for (int peer : fromNext()) {
            call = send(call, inputs.get(peer), peer);
            call = receive(call, outputs.get(peer), peer);
        }
        return call;
    }

    /**
     * All-to-all between contiguous parts of two buffers.
     *
     * @param inputCounts elements for each rank
     * @param outputCounts elements from each rank
     */
    public TransferCall allToAll(
            DeviceBuffer input, List<Long> inputCounts, DeviceBuffer output, List<Long> outputCounts, DataType type) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(inputCounts, "inputCounts");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(outputCounts, "outputCounts");
        Objects.requireNonNull(type, "type");
        return allToAll(parts("input", input, inputCounts, type), parts("output", output, outputCounts, type))
                .type(type);
    }

    /**
     * The output becomes the root's input for this rank.
     *
     * @param inputs one buffer for each rank on the root, none elsewhere
     */
    public TransferCall scatter(List<DeviceBuffer> inputs, DeviceBuffer output, int root) {
        Objects.requireNonNull(inputs, "inputs");
        Objects.requireNonNull(output, "output");
        requireRoot(root);
        TransferCall call = receive(partOf(Collective.SCATTER, root), output, root);
        if (rank == root) {
            requireOneForEach("inputs", inputs.size());
            for (int peer : fromNext()) {
                call = send(call, inputs.get(peer), peer);
            }
        }
        return call;
    }

    /**
     * Scatter from contiguous parts of one buffer.
     *
     * @param input the root's input; on other ranks any buffer, which is not read
     * @param counts elements for each rank on the root; ignored on other ranks
     * @throws InvalidArgumentException on the root, if there is not one for each rank, one is negative, the input is
     *     too small, or the output does not have the size of the root's count
     */
    public TransferCall scatter(DeviceBuffer input, List<Long> counts, DeviceBuffer output, DataType type, int root) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(counts, "counts");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(type, "type");
        requireRoot(root);
        List<DeviceBuffer> inputs = rank == root ? parts("input", input, counts, type) : List.of();
        if (rank == root) {
            requireOwnCount("scatter: the output", output, inputs);
        }
        return scatter(inputs, output, root).type(type);
    }

    /**
     * On the root, output {@code r} becomes rank {@code r}'s input.
     *
     * @param outputs one buffer for each rank on the root, none elsewhere
     */
    public TransferCall gather(DeviceBuffer input, List<DeviceBuffer> outputs, int root) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(outputs, "outputs");
        requireRoot(root);
        TransferCall call = send(partOf(Collective.GATHER, root), input, root);
        if (rank == root) {
            requireOneForEach("outputs", outputs.size());
            for (int peer : fromNext()) {
                call = receive(call, outputs.get(peer), peer);
            }
        }
        return call;
    }

    /**
     * Gather into contiguous parts of one buffer.
     *
     * @param output the root's output; on other ranks any buffer, which is not written
     * @param counts elements from each rank on the root; ignored on other ranks
     * @throws InvalidArgumentException on the root, if there is not one for each rank, one is negative, the output is
     *     too small, or the input does not have the size of the root's count
     */
    public TransferCall gather(DeviceBuffer input, DeviceBuffer output, List<Long> counts, DataType type, int root) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(counts, "counts");
        Objects.requireNonNull(type, "type");
        requireRoot(root);
        List<DeviceBuffer> outputs = rank == root ? parts("output", output, counts, type) : List.of();
        if (rank == root) {
            requireOwnCount("gather: the input", input, outputs);
        }
        return gather(input, outputs, root).type(type);
    }

    /**
     * The output becomes the reduction over all ranks' inputs for this rank; see {@link ReduceScatterCall}.
     *
     * @param inputs one buffer for each rank
     * @throws InvalidArgumentException if there is not one for each rank, the output is not as large as the one for
     *     this rank, or overlaps one of them
     */
    public ReduceScatterCall reduceScatter(List<DeviceBuffer> inputs, DeviceBuffer output, DataType type, ReduceOp op) {
        Objects.requireNonNull(inputs, "inputs");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        requireOneForEach("inputs", inputs.size());
        long own = inputs.get(rank).byteSize();
        if (output.byteSize() != own) {
            throw InvalidArgumentException.of(
                    "reduceScatter: the output",
                    output.byteSize() + " bytes",
                    own + " bytes, as the input for this rank, " + rank);
        }
        for (int peer = 0; peer < size; peer++) {
            if (overlap(inputs.get(peer), output)) {
                throw new InvalidArgumentException("reduceScatter: the output overlaps the input for rank " + peer
                        + "; allowed: an output of its own, since inputs stay as they are");
            }
        }
        return new ReduceScatterCall(inputs, output, type, op);
    }

    /**
     * Reduce-scatter of contiguous parts of one buffer.
     *
     * @param counts elements for each rank, equal on all ranks
     */
    public ReduceScatterCall reduceScatter(
            DeviceBuffer input, List<Long> counts, DeviceBuffer output, DataType type, ReduceOp op) {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(counts, "counts");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(op, "op");
        return reduceScatter(parts("input", input, counts, type), output, type, op);
    }

    private void requireOwnCount(String what, DeviceBuffer own, List<DeviceBuffer> parts) {
        long bytes = parts.get(rank).byteSize();
        if (own.byteSize() != bytes) {
            throw InvalidArgumentException.of(
                    what, own.byteSize() + " bytes", bytes + " bytes, as the count for this rank, " + rank + ", says");
        }
    }

    private static boolean overlap(DeviceBuffer one, DeviceBuffer other) {
        return one.byteSize() > 0
                && other.byteSize() > 0
                && one.address() < other.address() + other.byteSize()
                && other.address() < one.address() + one.byteSize();
    }

    /**
     * Splits a buffer into contiguous parts, from its start.
     *
     * @param what what the buffer is, for messages
     * @param counts elements of each part
     * @throws InvalidArgumentException if there is not one for each rank, one is negative, or the buffer is too small
     */
    private List<DeviceBuffer> parts(String what, DeviceBuffer whole, List<Long> counts, DataType type) {
        requireOneForEach(what + " counts", counts.size());
        List<DeviceBuffer> parts = new ArrayList<>();
        long offset = 0;
        for (long count : counts) {
            long bytes = bytes(what, count, type)
                    .filter(size -> size <= whole.byteSize())
                    .orElseThrow(() -> tooLarge(what, whole, counts, type));
            if (offset > whole.byteSize() - bytes) {
                throw tooLarge(what, whole, counts, type);
            }
            parts.add(whole.slice(offset, bytes));
            offset += bytes;
        }
        return parts;
    }

    private static Optional<Long> bytes(String what, long count, DataType type) {
        if (count < 0) {
            throw InvalidArgumentException.of(what + " count", count, "0 or more");
        }
        return count > Long.MAX_VALUE / type.byteSize() ? Optional.empty() : Optional.of(count * type.byteSize());
    }

    private static InvalidArgumentException tooLarge(
            String what, DeviceBuffer whole, List<Long> counts, DataType type) {
        return new InvalidArgumentException(what + " has " + whole.byteSize() + " bytes, fewer than the elements of "
                + type + " that its counts name, " + counts + "; pass a larger buffer, or smaller counts");
    }

    private static TransferCall partOf(Collective collective) {
        return partOf(collective, NO_ROOT);
    }

    private static TransferCall partOf(Collective collective, int root) {
        return TransferCall.batch().partOf(new TransferCall.PartOf(collective.label(), root));
    }

    private static TransferCall send(TransferCall call, DeviceBuffer buffer, int to) {
        return buffer.byteSize() == 0 ? call : call.send(buffer, to);
    }

    private static TransferCall receive(TransferCall call, DeviceBuffer buffer, int from) {
        return buffer.byteSize() == 0 ? call : call.receive(buffer, from);
    }

    /** All ranks, from the next rank on and this rank last, so that ranks do not all access one peer at once. */
    private List<Integer> fromNext() {
        List<Integer> ranks = new ArrayList<>();
        for (int distance = 1; distance <= size; distance++) {
            ranks.add((rank + distance) % size);
        }
        return ranks;
    }

    private void requireOneForEach(String what, int given) {
        if (given != size) {
            throw InvalidArgumentException.of("number of " + what, given, size + ", one for each rank");
        }
    }

    private void requireRoot(int root) {
        if (root < 0 || root >= size) {
            throw InvalidArgumentException.of("root", root, "0 to " + (size - 1));
        }
    }
}
