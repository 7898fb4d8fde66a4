package org.mscclj.support.interpreter;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.support.interpreter.DataAction.Combined;
import org.mscclj.support.memory.Memory;

/**
 * The operations of a block that move or reduce data through mapped memory.
 *
 * @param operands resolves the operands
 */
record DataOperations(Memory memory, LaunchSpec launch, Operands operands) {
    /** The actions of an operation, in a part of its range. */
    Stream<Action> actions(Operation.Data data, IterationRange part) {
        return switch (data.kind()) {
            case PUT,
                    PUT_WITH_SIGNAL,
                    PUT_WITH_SIGNAL_AND_FLUSH,
                    GET,
                    COPY,
                    PUT_PACKETS,
                    COPY_PACKETS,
                    UNPACK_PACKETS,
                    SWITCH_STORE,
                    SWITCH_STORE_PACKETS -> copies(data, part);
            case READ_PUT_PACKETS -> Stream.of(action(data, sources(data, 0, 1), destinations(data), part));
            case REDUCE, REDUCE_SEND, READ_REDUCE, READ_REDUCE_SEND, SWITCH_REDUCE_STORE ->
                Stream.of(action(data, sources(data, 0, data.sources().size()), destinations(data), part));
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS ->
                Stream.of(action(data, inOrder(data), destinations(data), part));
        };
    }

    /** Waits for the packets of the first source, for an operation whose data a proxy moves. */
    Action await(Operation.Data data) {
        return action(data, sources(data, 0, 1), List.of(), IterationRange.WHOLE);
    }

    /** Copies each source to its destination, one after another. */
    private Stream<Action> copies(Operation.Data data, IterationRange part) {
        return IntStream.range(0, data.sources().size())
                .mapToObj(k -> action(data, sources(data, k, k + 1), destination(data, k), part));
    }

    private Action action(Operation.Data data, List<Operand> from, List<Operand> to, IterationRange part) {
        return new DataAction(memory, from, to, combined(data), operands.flag(), part);
    }

    /** The reduction that the plan fixes, or else that of the call; a call without one is a sum. */
    private Optional<Combined> combined(Operation.Data data) {
        if (!data.kind().reduces()) {
            return Optional.empty();
        }
        ReduceOp.Kind ofCall = launch.op().kind() == ReduceOp.Kind.NOP
                ? ReduceOp.Kind.SUM
                : launch.op().kind().combiner();
        return Optional.of(new Combined(
                launch.type(),
                EncodedReduction.of(launch.type(), data.reduceOp().orElse(ofCall))));
    }

    private List<Operand> sources(Operation.Data data, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(k -> operands.mapped(
                        data.sources().get(k), data, data.sourceRole(k).packets()))
                .flatMap(List::stream)
                .toList();
    }

    /** Packets in the order of the plan, and the plain source at its place, or else last (SPEC 3.8). */
    private List<Operand> inOrder(Operation.Data data) {
        int plain = 1 + data.packetsBeforePlain();
        return Stream.of(
                        sources(data, 1, plain),
                        sources(data, 0, 1),
                        sources(data, plain, data.sources().size()))
                .flatMap(List::stream)
                .toList();
    }

    private List<Operand> destinations(Operation.Data data) {
        return IntStream.range(0, data.destinations().size())
                .mapToObj(k -> destination(data, k))
                .flatMap(List::stream)
                .toList();
    }

    private List<Operand> destination(Operation.Data data, int k) {
        ChunkRef reference = data.destinations().get(k);
        return operands.mapped(reference, data, data.destinationRole(k).packets());
    }
}
