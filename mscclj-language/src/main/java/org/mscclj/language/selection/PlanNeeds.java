package org.mscclj.language.selection;

import java.util.List;
import java.util.Optional;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.pairing.BufferAccess;

/**
 * The requirements of a plan of any origin. They depend on the plan and on the nodes of its ranks, so all ranks compute
 * the same.
 *
 * @param mappedPeers peers whose memory ranks must be able to map
 * @param registeredBuffers whether peers access input or output
 * @param multicast whether the plan needs a switch that reduces and stores for several ranks, or its emulation
 */
public record PlanNeeds(MappedPeers mappedPeers, boolean registeredBuffers, boolean multicast) {
    /** The requirements of the plans of a shipped program. */
    public static PlanNeeds of(ShippedProgram program) {
        return new PlanNeeds(program.mappedPeers(), program.sharesBuffers(), program.usesSwitch());
    }

    /**
     * The requirements of a plan.
     *
     * @param nodes the node of each rank, as a number
     */
    public static PlanNeeds of(Plan plan, List<Integer> nodes) {
        MappedPeers mapped = MappedPeers.NONE;
        boolean multicast = false;
        for (RankPlan rank : plan.ranks()) {
            mapped = add(mapped, rank.rank(), rank.memoryChannelPeers(), nodes);
            for (SwitchGroup group : rank.switchGroups()) {
                mapped = add(mapped, rank.rank(), group.ranks(), nodes);
                multicast = true;
            }
        }
        return new PlanNeeds(mapped, !BufferAccess.onlyScratch(plan), multicast);
    }

    private static MappedPeers add(MappedPeers before, int rank, List<Integer> peers, List<Integer> nodes) {
        if (peers.isEmpty() || before == MappedPeers.ALL) {
            return before;
        }
        return peers.stream().allMatch(peer -> nodes.get(peer).equals(nodes.get(rank)))
                ? MappedPeers.SAME_NODE
                : MappedPeers.ALL;
    }

    /** Describes the missing requirement; empty if there is none. */
    public Optional<String> missing(SelectionContext context) {
        if (registeredBuffers && !context.registered()) {
            return Optional.of("it needs buffers from Communicator.allocate, at equal offsets on all ranks");
        }
        if (multicast && !context.multicast()) {
            return Optional.of("the backend does not declare MULTICAST");
        }
        return context.obstacles().of(mappedPeers);
    }
}
