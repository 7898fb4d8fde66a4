package org.mscclj.conformance.operation;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntUnaryOperator;
import org.mscclj.api.Communicator;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Variable-size collectives, whose sizes differ by rank.
 *
 * @param communicator the communicator of the ranks
 * @param count elements of the smallest part
 * @param form how the calls are repeated
 */
record PartSteps(Communicator communicator, int count, Form form) {
    private int rank() {
        return communicator.rank();
    }

    private int ranks() {
        return communicator.size();
    }

    private int root() {
        return 1 % ranks();
    }

    /** Returns one part for each rank. */
    private Parts byRank() {
        return Parts.of(ranks(), rank -> count + rank);
    }

    /** Returns the parts that a rank exchanges with the others. It sends each rank as much as it receives from it. */
    private Parts exchangedBy(int rank) {
        return Parts.of(ranks(), peer -> count + rank + peer);
    }

    Step allGather() {
        Parts parts = byRank();
        return moving(
                "allgather of parts",
                parts.size(rank()),
                parts.total(),
                Optional.of(i -> Numbers.of(parts.owner(i), i - parts.start(parts.owner(i)))),
                (input, output) -> communicator.variable().allGather(input, parts.of(output)));
    }

    Step allToAll() {
        Parts parts = exchangedBy(rank());
        return moving(
                "alltoall of parts",
                parts.total(),
                parts.total(),
                Optional.of(i -> {
                    int from = parts.owner(i);
                    return Numbers.of(from, exchangedBy(from).start(rank()) + i - parts.start(from));
                }),
                (input, output) -> communicator.variable().allToAll(parts.of(input), parts.of(output)));
    }

    Step scatter() {
        Parts parts = byRank();
        return moving(
                "scatter of parts",
                parts.total(),
                parts.size(rank()),
                Optional.of(i -> Numbers.of(root(), parts.start(rank()) + i)),
                (input, output) -> communicator
                        .variable()
                        .scatter(rank() == root() ? parts.of(input) : List.of(), output, root()));
    }

    Step gather() {
        Parts parts = byRank();
        return moving(
                "gather of parts",
                parts.size(rank()),
                parts.total(),
                rank() == root()
                        ? Optional.of(i -> Numbers.of(parts.owner(i), i - parts.start(parts.owner(i))))
                        : Optional.empty(),
                (input, output) ->
                        communicator.variable().gather(input, rank() == root() ? parts.of(output) : List.of(), root()));
    }

    Step reduceScatter() {
        Parts parts = byRank();
        DeviceBuffer input = input(parts.total());
        DeviceBuffer output = allocate(parts.size(rank()));
        ReduceScatterCall call =
                communicator.variable().reduceScatter(parts.of(input), output, DataType.INT32, ReduceOp.SUM);
        return CheckedStep.open(
                "reducescatter of parts",
                input,
                output,
                Optional.of(i -> Numbers.sum(ranks(), parts.start(rank()) + i)),
                () -> form.making(communicator, () -> communicator.prepare(call), () -> communicator.execute(call)));
    }

    private Step moving(
            String what,
            int inputCount,
            int outputCount,
            Optional<IntUnaryOperator> expected,
            BiFunction<DeviceBuffer, DeviceBuffer, TransferCall> calls) {
        DeviceBuffer input = input(inputCount);
        DeviceBuffer output = allocate(outputCount);
        TransferCall call = calls.apply(input, output);
        return CheckedStep.open(
                what,
                input,
                output,
                expected,
                () -> form.making(communicator, () -> communicator.prepare(call), () -> communicator.execute(call)));
    }

    /**
     * Ranks need memory of different sizes. The communicator's allocation is collective and takes equal sizes, so the
     * memory comes from the device.
     */
    private DeviceBuffer allocate(int elements) {
        return communicator.device().allocate((long) elements * Integer.BYTES);
    }

    private DeviceBuffer input(int elements) {
        DeviceBuffer input = allocate(elements);
        Numbers.write(input, i -> Numbers.of(rank(), i));
        return input;
    }
}
