package org.mscclj.plan.pass;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.ThreadBlock;

/**
 * Writes a block in numbers of its own: plans name channels and remote buffers by their positions in the block's lists, which begin with what
 * is used first. A channel over which a block only loads and stores is listed too, though no operation names it: MSCCL++ maps the memory of
 * peers that a channel leads to.
 */
final class BlockLowering {
    private final List<Integer> memoryChannels = new ArrayList<>();
    private final List<Integer> portChannels = new ArrayList<>();
    private final List<Integer> switchChannels = new ArrayList<>();
    private final List<Integer> memoryBuffers = new ArrayList<>();
    private final List<Integer> portBuffers = new ArrayList<>();

    private BlockLowering() {}

    static ThreadBlock lower(int id, List<Step> steps) {
        BlockLowering block = new BlockLowering();
        List<Operation> operations = block.operations(steps);
        return new ThreadBlock(
                id,
                operations,
                block.memoryChannels,
                block.portChannels,
                block.switchChannels,
                block.memoryBuffers,
                block.portBuffers);
    }

    private List<Operation> operations(List<Step> steps) {
        List<Operation> operations = new ArrayList<>();
        for (Step step : steps) {
            operations.add(
                    switch (step) {
                        case Step.Loop loop ->
                            new Operation.Pipeline(loop.unitSize(), loop.chunks(), operations(loop.steps()));
                        case Step.Run run -> operation(run.operation());
                    });
        }
        return operations;
    }

    private Operation operation(Operation operation) {
        return switch (operation) {
            case Operation.Signal signal ->
                new Operation.Signal(
                        signal.channelType(), channels(signal.channelType(), signal.channelIds()), signal.relaxed());
            case Operation.Wait wait ->
                new Operation.Wait(wait.channelType(), channels(wait.channelType(), wait.channelIds()), wait.relaxed());
            case Operation.Flush flush ->
                new Operation.Flush(flush.channelType(), channels(flush.channelType(), flush.channelIds()));
            case Operation.Data data -> data(data);
            default -> operation;
        };
    }

    private Operation.Data data(Operation.Data data) {
        ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
        List<Integer> channels = channels(type, data.channelIds());
        boolean named = type == ChannelType.PORT || data.kind() == DataKind.GET;
        return new Operation.Data(
                data.kind(),
                data.channelType(),
                named ? channels : List.of(),
                references(type, data.sources()),
                references(type, data.destinations()),
                data.share(),
                data.reduceOp());
    }

    private List<Integer> channels(ChannelType type, List<Integer> ids) {
        List<Integer> list = switch (type) {
            case MEMORY -> memoryChannels;
            case PORT -> portChannels;
            case SWITCH -> switchChannels;
        };
        return ids.stream().map(id -> position(list, id)).toList();
    }

    private List<ChunkRef> references(ChannelType type, List<ChunkRef> references) {
        List<Integer> buffers = type == ChannelType.PORT ? portBuffers : memoryBuffers;
        return references.stream()
                .<ChunkRef>map(reference -> switch (reference) {
                    case ChunkRef.Local local -> local;
                    case ChunkRef.Remote remote ->
                        new ChunkRef.Remote(position(buffers, remote.bufferId()), remote.index(), remote.size());
                    case ChunkRef.Multicast all ->
                        new ChunkRef.Multicast(
                                position(switchChannels, all.switchChannelId()), all.index(), all.size());
                })
                .toList();
    }

    private static int position(List<Integer> list, int id) {
        int position = list.indexOf(id);
        if (position >= 0) {
            return position;
        }
        list.add(id);
        return list.size() - 1;
    }
}
