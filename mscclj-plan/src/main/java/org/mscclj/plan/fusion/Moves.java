package org.mscclj.plan.fusion;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;

/**
 * Splits data operations of a block into moves. Switch channels are emulated by accesses to every member's mapped
 * memory, in rank order.
 */
public final class Moves {
    private final BlockView view;
    private final Operation.Data data;

    private Moves(BlockView view, Operation.Data data) {
        this.view = view;
        this.data = data;
    }

    /** The moves of an operation that the block itself executes. */
    public static List<Move> of(BlockView view, Operation.Data data) {
        return new Moves(view, data).moves();
    }

    /** The packets that an operation waits for. */
    public static List<OperandRange> awaitedPackets(BlockView view, Operation.Data data) {
        return new Moves(view, data).ranges(data.awaitedPackets());
    }

    /** The source of destination {@code k}. */
    public static OperandRange source(BlockView view, Operation.Data data, int k) {
        return new Moves(view, data)
                .ranges(data.sources().get(Math.min(k, data.sources().size() - 1)))
                .getFirst();
    }

    /** Destination {@code k}. */
    public static OperandRange destination(BlockView view, Operation.Data data, int k) {
        return new Moves(view, data).ranges(data.destinations().get(k)).getFirst();
    }

    private List<Move> moves() {
        return switch (data.kind()) {
            case PUT, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH, GET, COPY, SWITCH_STORE ->
                pairs((source, destination) -> Move.plain(source, destination, data.share()));
            case REDUCE, REDUCE_SEND, READ_REDUCE, READ_REDUCE_SEND ->
                List.of(Move.plain(ranges(data.sources()), ranges(data.destinations()), data.share()));
            case SWITCH_REDUCE_STORE ->
                List.of(Move.plain(
                        ranges(data.sources().getFirst()),
                        ranges(data.destinations().getFirst()),
                        data.share()));
            case PUT_PACKETS, COPY_PACKETS ->
                pairs((source, destination) -> new Move(source, List.of(), List.of(), destination, data.share()));
            case UNPACK_PACKETS ->
                pairs((source, destination) -> new Move(List.of(), source, destination, List.of(), data.share()));
            case SWITCH_STORE_PACKETS ->
                pairs((source, destination) -> new Move(List.of(), source, List.of(), destination, data.share()));
            case READ_PUT_PACKETS ->
                List.of(new Move(
                        List.of(),
                        ranges(data.sources().getFirst()),
                        List.of(),
                        ranges(data.destinations()),
                        data.share()));
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS ->
                List.of(new Move(
                        ranges(data.sources().getFirst()),
                        ranges(data.sources().subList(1, data.sources().size())),
                        ranges(data.destinations().getFirst()),
                        ranges(data.destinations()
                                .subList(1, data.destinations().size())),
                        data.share(),
                        data.plainPlace()));
        };
    }

    /** A move of one source to one destination. */
    private interface Pair {
        Move of(List<OperandRange> source, List<OperandRange> destination);
    }

    private List<Move> pairs(Pair pair) {
        int sources = data.sources().size();
        return IntStream.range(0, data.destinations().size())
                .mapToObj(k -> pair.of(
                        ranges(data.sources().get(Math.min(k, sources - 1))),
                        ranges(data.destinations().get(k))))
                .toList();
    }

    private List<OperandRange> ranges(List<ChunkRef> references) {
        return references.stream()
                .flatMap(reference -> ranges(reference).stream())
                .toList();
    }

    private List<OperandRange> ranges(ChunkRef reference) {
        return switch (reference) {
            case ChunkRef.Local local -> List.of(range(view.rank().rank(), local.buffer(), reference));
            case ChunkRef.Remote remote -> {
                RemoteBuffer buffer = view.remote(remote, data);
                yield List.of(range(buffer.rank(), buffer.buffer(), reference));
            }
            case ChunkRef.Multicast multicast -> {
                SwitchGroup group = view.group(multicast);
                yield group.ranks().stream()
                        .sorted()
                        .map(rank -> range(rank, group.buffer(), reference))
                        .toList();
            }
        };
    }

    private static OperandRange range(int rank, BufferType buffer, ChunkRef reference) {
        return new OperandRange(rank, buffer, reference.index(), reference.size());
    }
}
