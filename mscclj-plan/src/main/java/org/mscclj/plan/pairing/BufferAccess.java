package org.mscclj.plan.pairing;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.ThreadBlock;

/** The buffers that ranks of a plan access at their peers; equal on all ranks, because it depends on the plan alone. */
public final class BufferAccess {
    private BufferAccess() {}

    /** Whether peers access only scratch, so that input and output stay private to their rank. */
    public static boolean onlyScratch(Plan plan) {
        return !mapsBuffers(plan) && EnumSet.of(BufferType.SCRATCH).containsAll(byPorts(plan));
    }

    /**
     * Whether any rank accesses a peer's input or output through mapped memory, so that these must be registered with
     * peers.
     */
    public static boolean mapsBuffers(Plan plan) {
        return plan.ranks().stream().anyMatch(BufferAccess::mapsBuffers);
    }

    private static boolean mapsBuffers(RankPlan rank) {
        for (RemoteBuffer buffer : rank.remoteBuffers()) { // once for hundreds of ranks
            if (buffer.buffer() != BufferType.SCRATCH && buffer.accessTypes().contains(ChannelType.MEMORY)) {
                return true;
            }
        }
        return rank.switchGroups().stream().anyMatch(group -> group.buffer() != BufferType.SCRATCH);
    }

    /** The buffers that the port channels of a plan read or write on any rank. */
    public static Set<BufferType> byPorts(Plan plan) {
        Set<BufferType> used = EnumSet.noneOf(BufferType.class);
        for (RankPlan rank : plan.ranks()) {
            rank.threadBlocks().forEach(block -> add(block.operations(), rank, block, used));
        }
        return used;
    }

    private static void add(List<Operation> operations, RankPlan rank, ThreadBlock block, Set<BufferType> used) {
        for (Operation operation : operations) {
            switch (operation) {
                case Operation.Pipeline pipeline -> add(pipeline.operations(), rank, block, used);
                case Operation.Data data
                when data.channelType().filter(type -> type == ChannelType.PORT).isPresent() -> {
                    data.sources().forEach(ref -> used.add(buffer(ref, rank, block)));
                    data.destinations().forEach(ref -> used.add(buffer(ref, rank, block)));
                }
                default -> {}
            }
        }
    }

    private static BufferType buffer(ChunkRef ref, RankPlan rank, ThreadBlock block) {
        return switch (ref) {
            case ChunkRef.Local local -> local.buffer();
            case ChunkRef.Remote remote ->
                rank.remoteBuffers()
                        .get(block.portBuffers().get(remote.bufferId()))
                        .buffer();
            case ChunkRef.Multicast _ -> BufferType.SCRATCH; // refused by the validator
        };
    }
}
