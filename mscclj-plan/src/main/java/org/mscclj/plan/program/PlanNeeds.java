package org.mscclj.plan.program;

import java.util.List;
import java.util.Optional;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.pairing.BufferAccess;

/**
 * What must be there for a plan to run, whoever wrote it. Depends on the plan and on where its ranks are, so that all
 * ranks find the same.
 *
 * @param mappedPeers whose memory ranks must be able to map
 * @param registeredBuffers whether peers access input or output
 * @param multicast whether a switch must reduce and store for several ranks, or be emulated
 */
public record PlanNeeds(MappedPeers mappedPeers, boolean registeredBuffers, boolean multicast) {
    /** What the plans of a shipped program need. */
    public static PlanNeeds of(ShippedProgram program) {
        return new PlanNeeds(program.mappedPeers(), program.sharesBuffers(), program.usesSwitch());
    }

    /**
     * What a plan needs.
     *
     * @param nodes a number for each rank, equal for ranks of the same node
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

    /** What is missing, in words; empty if nothing is. */
    public Optional<String> missing(Surroundings surroundings) {
        if (registeredBuffers && !surroundings.registered()) {
            return Optional.of("it needs buffers from Communicator.allocate, at equal offsets on all ranks");
        }
        if (multicast && !surroundings.multicast()) {
            return Optional.of("the backend does not declare MULTICAST");
        }
        return surroundings.obstacles().of(mappedPeers);
    }
}
