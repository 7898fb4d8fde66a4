package org.mscclj.runtime.execution.plan;

import java.util.List;
import java.util.function.Function;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;

/**
 * Finds out whether the ranks of a plan read or write a buffer of one rank, directly or through channels. In place,
 * input and output name one buffer.
 */
public final class BufferUse {
    private final Plan plan;
    private final int rank;
    private final BufferType buffer;

    private BufferUse(Plan plan, int rank, BufferType buffer) {
        this.plan = plan;
        this.rank = rank;
        this.buffer = buffer;
    }

    /** Returns whether the plan writes the output of a rank. */
    public static boolean isOutputWritten(Plan plan, int rank) {
        return new BufferUse(plan, rank, BufferType.OUTPUT).isAmong(Operation.Data::destinations);
    }

    /**
     * Returns whether the plan reads the original input of a rank, and not only what other ranks have written there. A
     * plan does not name its root; if data starts at the root in place, the root is the rank whose buffer no rank
     * writes.
     */
    public static boolean isInputRead(Plan plan, int rank) {
        if (plan.collective().startsAtRoot() && plan.inPlace()) {
            return plan.worldSize() == 1 || !isOutputWritten(plan, rank);
        }
        boolean everyRankHasOne = !plan.collective().startsAtRoot() && plan.collective() != Collective.TEST;
        return everyRankHasOne || new BufferUse(plan, rank, BufferType.INPUT).isAmong(Operation.Data::sources);
    }

    private boolean isAmong(Function<Operation.Data, List<ChunkRef>> operands) {
        return plan.ranks().stream()
                .anyMatch(user -> user.threadBlocks().stream()
                        .anyMatch(block -> isAmong(operands, user, block, block.operations())));
    }

    private boolean isAmong(
            Function<Operation.Data, List<ChunkRef>> operands,
            RankPlan user,
            ThreadBlock block,
            List<Operation> operations) {
        return operations.stream().anyMatch(operation -> switch (operation) {
            case Operation.Pipeline pipeline -> isAmong(operands, user, block, pipeline.operations());
            case Operation.Data data ->
                operands.apply(data).stream().anyMatch(chunk -> chunk.size() > 0 && isMeant(user, block, data, chunk));
            default -> false;
        });
    }

    private boolean isMeant(RankPlan user, ThreadBlock block, Operation.Data data, ChunkRef chunk) {
        return switch (chunk) {
            case ChunkRef.Local local -> user.rank() == rank && isMeant(local.buffer());
            case ChunkRef.Remote remote -> {
                ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
                RemoteBuffer of =
                        user.remoteBuffers().get(block.remoteBuffers(type).get(remote.bufferId()));
                yield of.rank() == rank && isMeant(of.buffer());
            }
            case ChunkRef.Multicast multicast -> {
                SwitchGroup group =
                        user.switchGroups().get(block.switchChannels().get(multicast.switchChannelId()));
                yield group.ranks().contains(rank) && isMeant(group.buffer()) && !isKept(user, data, multicast);
            }
        };
    }

    /**
     * Whether this rank stores a chunk of its own in the same chunk of all members, so that its own does not change.
     */
    private boolean isKept(RankPlan user, Operation.Data data, ChunkRef.Multicast stored) {
        return user.rank() == rank
                && plan.inPlace()
                && data.kind() == DataKind.SWITCH_STORE
                && data.sources().getFirst() instanceof ChunkRef.Local own
                && own.buffer() != BufferType.SCRATCH
                && own.index() == stored.index()
                && own.size() == stored.size();
    }

    private boolean isMeant(BufferType used) {
        return used == buffer || (plan.inPlace() && used != BufferType.SCRATCH);
    }
}
