package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.ThreadBlock;

/**
 * Renumbers the ids of a block: plans refer to channels and remote buffers by their positions in the block's lists,
 * which are in order of first use. A channel over which a block only loads and stores is listed too, though no
 * operation refers to it, because MSCCL++ maps the memory of the peers of listed channels.
 */
final class BlockLowering {
    private final List<Integer> memoryChannels = new ArrayList<>();
    private final List<Integer> portChannels = new ArrayList<>();
    private final List<Integer> switchChannels = new ArrayList<>();
    private final List<Integer> memoryBuffers = new ArrayList<>();
    private final List<Integer> portBuffers = new ArrayList<>();

    private final Map<Operation, Operation> small;

    private BlockLowering(Map<Operation, Operation> small) {
        this.small = small;
    }

    /**
     * Lowers a block.
     *
     * @param small operations without data of all blocks so far, for sharing: a large program has millions of them, of
     *     which few are distinct
     */
    static ThreadBlock lower(int id, List<BlockStep> steps, Map<Operation, Operation> small) {
        BlockLowering block = new BlockLowering(small);
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

    private List<Operation> operations(List<BlockStep> steps) {
        List<Operation> operations = new ArrayList<>();
        for (BlockStep step : steps) {
            operations.add(
                    switch (step) {
                        case BlockStep.Loop loop ->
                            new Operation.Pipeline(loop.unitSize(), loop.chunks(), operations(loop.steps()));
                        case BlockStep.Run run -> operation(run.operation());
                    });
        }
        return operations;
    }

    private Operation operation(Operation operation) {
        return switch (operation) {
            case Operation.Signal signal ->
                shared(new Operation.Signal(
                        signal.channelType(), channels(signal.channelType(), signal.channelIds()), signal.relaxed()));
            case Operation.Wait wait ->
                shared(new Operation.Wait(
                        wait.channelType(), channels(wait.channelType(), wait.channelIds()), wait.relaxed()));
            case Operation.Flush flush ->
                shared(new Operation.Flush(flush.channelType(), channels(flush.channelType(), flush.channelIds())));
            case Operation.Data data -> data(data);
            default -> shared(operation);
        };
    }

    private Operation shared(Operation operation) {
        return small.computeIfAbsent(operation, own -> own);
    }

    private Operation.Data data(Operation.Data data) {
        ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
        List<Integer> channels = channels(type, data.channelIds());
        boolean named = type == ChannelType.PORT || data.kind() == DataKind.GET;
        Operation.Data lowered = new Operation.Data(
                data.kind(),
                data.channelType(),
                named ? channels : List.of(),
                references(type, data.sources()),
                references(type, data.destinations()),
                data.share(),
                data.reduceOp(),
                data.plainPlace());
        return lowered.equals(data) ? data : lowered; // lets equal operations share one object
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
