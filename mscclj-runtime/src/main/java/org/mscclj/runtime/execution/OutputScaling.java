package org.mscclj.runtime.execution;

import java.util.List;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;

/**
 * Whether a rank scales its output when a launch has ended. Every rank does for an average or a premultiplied sum, except in a reduce: there
 * only the root has a sum. A plan does not name its root; it is the rank whose output the plan writes.
 */
final class OutputScaling {
    private final Plan plan;
    private final int rank;

    private OutputScaling(Plan plan, int rank) {
        this.plan = plan;
        this.rank = rank;
    }

    static boolean applies(Plan plan, int rank, ReduceOp op) {
        boolean scales = op.kind() != op.kind().combiner();
        boolean everywhere = plan.collective() != Collective.REDUCE || plan.worldSize() == 1;
        return scales && (everywhere || new OutputScaling(plan, rank).isWritten());
    }

    private boolean isWritten() {
        return plan.ranks().stream()
                .anyMatch(writer ->
                        writer.threadBlocks().stream().anyMatch(block -> writes(writer, block, block.operations())));
    }

    private boolean writes(RankPlan writer, ThreadBlock block, List<Operation> operations) {
        return operations.stream().anyMatch(operation -> switch (operation) {
            case Operation.Pipeline pipeline -> writes(writer, block, pipeline.operations());
            case Operation.Data data ->
                data.destinations().stream().anyMatch(to -> to.size() > 0 && isOutput(writer, block, data, to));
            default -> false;
        });
    }

    private boolean isOutput(RankPlan writer, ThreadBlock block, Operation.Data data, ChunkRef to) {
        return switch (to) {
            case ChunkRef.Local local -> writer.rank() == rank && isOutput(local.buffer());
            case ChunkRef.Remote remote -> {
                ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
                RemoteBuffer buffer =
                        writer.remoteBuffers().get(block.remoteBuffers(type).get(remote.bufferId()));
                yield buffer.rank() == rank && isOutput(buffer.buffer());
            }
            case ChunkRef.Multicast multicast -> {
                SwitchGroup group =
                        writer.switchGroups().get(block.switchChannels().get(multicast.switchChannelId()));
                yield group.ranks().contains(rank) && isOutput(group.buffer());
            }
        };
    }

    /** In place, both names are those of one buffer. */
    private boolean isOutput(BufferType buffer) {
        return buffer == BufferType.OUTPUT || (plan.inPlace() && buffer == BufferType.INPUT);
    }
}
