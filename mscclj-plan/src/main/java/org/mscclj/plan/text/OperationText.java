package org.mscclj.plan.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.ThreadBlock;

/** The operations of one block as text, with the block's ids of channels and buffers resolved. */
public final class OperationText {
    private final BlockView view;

    /** Creates the texts for a block of a rank. */
    public OperationText(RankPlan rank, ThreadBlock block) {
        this.view = new BlockView(rank, block);
    }

    /** The operation at an address of a plan. */
    public static String of(Plan plan, OperationAddress address) {
        RankPlan rank = plan.ranks().get(address.rank());
        return new OperationText(rank, rank.threadBlocks().get(address.block())).of(plan.operation(address));
    }

    /** An operation of the block. */
    public String of(Operation operation) {
        return operation.label()
                + switch (operation) {
                    case Operation.Nop() -> "";
                    case Operation.Barrier(int id, int threadBlocks) -> " #" + id + " of " + threadBlocks + " blocks";
                    case Operation.Signal(var type, var ids, var _) -> channels(type, ids);
                    case Operation.Wait(var type, var ids, var _) -> channels(type, ids);
                    case Operation.Flush(var type, var ids) -> channels(type, ids);
                    case Operation.SemaphoreAcquire(var ids) -> semaphores(ids);
                    case Operation.SemaphoreRelease(var ids) -> semaphores(ids);
                    case Operation.Pipeline(long unitSize, int chunks, var _) ->
                        " over " + chunks + (chunks == 1 ? " chunk" : " chunks") + " in units of " + unitSize
                                + " bytes";
                    case Operation.Data data -> data(data);
                };
    }

    /** Numbers separated by commas. */
    static String plain(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private String channels(ChannelType type, List<Integer> ids) {
        return " " + type.label() + " "
                + ids.stream()
                        .map(id -> "#" + view.channel(type, id) + " (rank " + view.peer(type, id) + ")")
                        .collect(Collectors.joining(", "));
    }

    private static String semaphores(List<Integer> ids) {
        return " " + ids.stream().map(id -> "#" + id).collect(Collectors.joining(", "));
    }

    private String data(Operation.Data data) {
        List<String> notes = new ArrayList<>();
        data.channelType().ifPresent(type -> notes.add(type.label() + portChannels(type, data.channelIds())));
        data.reduceOp().ifPresent(op -> notes.add(op.label()));
        data.plainPlace().ifPresent(place -> notes.add("plain operand at place " + place));
        if (!data.share().equals(BlockShare.WHOLE)) {
            notes.add("part " + data.share().member() + " of " + data.share().groupSize());
        }
        return " " + operands(data.sources(), data) + " -> " + operands(data.destinations(), data)
                + (notes.isEmpty() ? "" : "  (" + String.join(", ", notes) + ")");
    }

    /** Channels matter to port operations only; elsewhere the remote buffer identifies the peer. */
    private String portChannels(ChannelType type, List<Integer> ids) {
        return type != ChannelType.PORT
                ? ""
                : ids.stream().map(id -> " #" + view.channel(type, id)).collect(Collectors.joining());
    }

    private String operands(List<ChunkRef> refs, Operation.Data data) {
        return refs.stream().map(ref -> operand(ref, data)).collect(Collectors.joining(", "));
    }

    private String operand(ChunkRef ref, Operation.Data data) {
        String chunks =
                ref.size() == 1 ? "[" + ref.index() + "]" : "[" + ref.index() + ":" + (ref.index() + ref.size()) + "]";
        return switch (ref) {
            case ChunkRef.Local local -> local.buffer().letter() + chunks;
            case ChunkRef.Remote remote -> {
                RemoteBuffer buffer = view.remote(remote, data);
                yield "rank " + buffer.rank() + " " + buffer.buffer().letter() + chunks;
            }
            case ChunkRef.Multicast multicast -> {
                int id = view.channel(ChannelType.SWITCH, multicast.switchChannelId());
                yield "switch #" + id + " " + view.group(multicast).buffer().letter() + chunks;
            }
        };
    }
}
