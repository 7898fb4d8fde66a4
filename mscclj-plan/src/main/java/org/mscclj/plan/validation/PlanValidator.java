package org.mscclj.plan.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.pairing.SwitchPairing;

/**
 * Checks that a plan is well formed: every index is in range on every rank, every operation has the operands that it
 * needs, and no barrier certainly deadlocks.
 *
 * <p>A plan that passes can run without further checks of its structure. The verifier checks whether it computes its
 * collective, whether accesses race, and whether signals and waits balance.
 *
 * <p>The first fault is thrown as one {@link InvalidArgumentException} with one line that names the plan, rank, thread
 * block, operation (positions count from 0) and key, the given value, and the allowed values.
 */
public final class PlanValidator {
    private static final int MAX_THREADS = 1024;

    /** Elements have up to 8 bytes, and so has the payload of a packet: no chunk boundary may split either. */
    private static final int ALIGNMENT_UNIT = 8;

    private final Plan plan;
    private final FaultSite site;

    private PlanValidator(Plan plan, FaultSite site) {
        this.plan = plan;
        this.site = site;
    }

    /**
     * Checks a plan.
     *
     * @throws InvalidArgumentException if the plan is not well formed; the message begins with the plan's name
     */
    public static void validate(Plan plan) {
        validate(plan, "plan " + plan.label());
    }

    /**
     * Checks a plan from a given origin.
     *
     * @param plan the plan
     * @param origin the origin, for messages: a file's name
     * @throws InvalidArgumentException if the plan is not well formed; the message begins with {@code origin}
     */
    public static void validate(Plan plan, String origin) {
        new PlanValidator(plan, FaultSite.of(PlainText.escape(origin))).validate();
    }

    private void validate() {
        checkHeader();
        for (int rank = 0; rank < plan.worldSize(); rank++) {
            checkDeclarations(plan.ranks().get(rank), rank);
        }
        checkChunks();
        checkSwitchGroups();
        for (RankPlan rank : plan.ranks()) {
            checkThreadBlocks(rank);
        }
    }

    private void checkHeader() {
        if (plan.name().isEmpty()) {
            throw site.fault("name", "empty", "a name");
        }
        if (plan.ranks().isEmpty()) {
            throw site.fault("gpus", "empty", "at least one rank");
        }
        if (plan.threadsPerBlock() < 1 || plan.threadsPerBlock() > MAX_THREADS) {
            throw site.fault("num_threads_per_block", plan.threadsPerBlock(), "1 to " + MAX_THREADS);
        }
        if (plan.bufferAlignment() < 1 || plan.bufferAlignment() % ALIGNMENT_UNIT != 0) {
            throw site.fault("buffer_alignment", plan.bufferAlignment(), "a positive multiple of " + ALIGNMENT_UNIT);
        }
        if (Long.compareUnsigned(plan.minMessageSize(), plan.maxMessageSize()) > 0) {
            throw site.fault(
                    "min_message_size",
                    Long.toUnsignedString(plan.minMessageSize()),
                    "at most max_message_size, which is " + Long.toUnsignedString(plan.maxMessageSize()));
        }
    }

    private void checkDeclarations(RankPlan rank, int position) {
        FaultSite at = site.rank(position);
        if (rank.rank() != position) {
            throw at.fault("id", rank.rank(), position + ", its position in gpus");
        }
        checkCount(at, "input_chunks", rank.inputChunks());
        checkCount(at, "output_chunks", rank.outputChunks());
        checkCount(at, "scratch_chunks", rank.scratchChunks());
        checkPeers(at, "memory connected_to", position, rank.memoryChannelPeers());
        checkPeers(at, "port connected_to", position, rank.portChannelPeers());
        for (int i = 0; i < rank.remoteBuffers().size(); i++) {
            RemoteBuffer buffer = rank.remoteBuffers().get(i);
            checkPeer(at, new ListItem("remote_buffers", i, ".rank"), position, buffer.rank());
            if (buffer.accessTypes().contains(ChannelType.SWITCH)) {
                throw at.fault(
                        new ListItem("remote_buffers", i, ".access_channel_types"),
                        buffer.accessTypes(),
                        "memory, port");
            }
        }
        for (int i = 0; i < rank.semaphoreInitialValues().size(); i++) {
            checkCount(
                    at,
                    new ListItem("semaphores", i, ".init_value"),
                    rank.semaphoreInitialValues().get(i));
        }
    }

    private static void checkCount(FaultSite at, Object key, int value) {
        if (value < 0) {
            throw at.fault(key, value, "0 or more");
        }
    }

    private void checkPeers(FaultSite at, String key, int self, List<Integer> peers) {
        for (int i = 0; i < peers.size(); i++) {
            checkPeer(at, new ListItem(key, i), self, peers.get(i));
        }
    }

    private void checkPeer(FaultSite at, ListItem key, int self, int peer) {
        if (peer == self) {
            throw at.fault(
                    key,
                    peer,
                    "another rank than its own: MSCCL++'s executor connects a rank with itself through its"
                            + " proxy, which is slower than"
                            + " copy, nop and a semaphore between the blocks; use these");
        }
        at.requireIndex(key, peer, plan.worldSize(), "ranks");
    }

    private void checkChunks() {
        try {
            LaunchGeometry.chunksPerSlice(plan);
        } catch (InvalidArgumentException e) {
            throw new InvalidArgumentException(
                    site.place() + ": " + PlainText.escape(String.valueOf(e.getMessage())), e);
        }
    }

    /** All members of a group open it together, so each must declare it. */
    private void checkSwitchGroups() {
        for (RankPlan rank : plan.ranks()) {
            for (int i = 0; i < rank.switchGroups().size(); i++) {
                List<Integer> ranks = rank.switchGroups().get(i).ranks();
                String key = "switch channel " + i + ", ranks";
                FaultSite at = site.rank(rank.rank());
                if (ranks.isEmpty()) {
                    throw at.fault(key, "empty", "at least one rank");
                }
                for (int member : ranks) {
                    at.requireIndex(key, member, plan.worldSize(), "ranks");
                }
                if (Set.copyOf(ranks).size() != ranks.size()) {
                    throw at.fault(key, ranks, "distinct ranks");
                }
            }
        }
        SwitchPairing pairing = SwitchPairing.of(plan);
        List<Set<SwitchPairing.Key>> declared = plan.ranks().stream()
                .map(rank -> (Set<SwitchPairing.Key>) new HashSet<>(pairing.groups(rank.rank())))
                .toList();
        for (RankPlan rank : plan.ranks()) {
            for (int i = 0; i < rank.switchGroups().size(); i++) {
                SwitchPairing.Key group = pairing.groups(rank.rank()).get(i);
                for (int member : group.ranks()) {
                    if (!declared.get(member).contains(group)) {
                        throw site.rank(rank.rank())
                                .fault("switch channel " + i + " is number " + group.ordinal() + " over buffer "
                                        + group.buffer().letter() + " of ranks "
                                        + PlainText.brief(group.ranks().toString()) + ", which member "
                                        + member + " does not declare; allowed: groups that all their members declare");
                    }
                }
            }
        }
    }

    private void checkThreadBlocks(RankPlan rank) {
        FaultSite at = site.rank(rank.rank());
        BarrierRules barriers = new BarrierRules(at);
        for (int i = 0; i < rank.threadBlocks().size(); i++) {
            ThreadBlock block = rank.threadBlocks().get(i);
            if (block.id() != i) {
                throw at.block(i).fault("id", block.id(), i + ", its position in threadblocks");
            }
            new BlockValidator(plan, rank, block, at.block(i), barriers).validate();
        }
        barriers.finish();
    }
}
