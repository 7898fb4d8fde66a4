package org.mscclj.plan.validation;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.mscclj.plan.Operation;

/**
 * Checks the barriers of one rank. An id stands for one number of participants throughout. Fewer blocks than
 * participants, or a last meeting that stays incomplete, is certain to wait for ever, and refused.
 *
 * <p>More blocks than participants are allowed: an id can be used again by other blocks. Whether those uses can mix is
 * for the verifier to find out, and so is everything inside pipelines, whose iterations depend on the message.
 */
final class BarrierRules {
    /** Engines keep one counter for each id up to the greatest. */
    private static final int GREATEST_ID = 65_535;

    /** How one id is used. */
    private static final class Use {
        private final int participants;
        private final FaultSite first;
        private final Map<Integer, Integer> arrivals = new TreeMap<>();
        private boolean insidePipeline;

        Use(int participants, FaultSite first) {
            this.participants = participants;
            this.first = first;
        }
    }

    private final FaultSite rankSite;
    private final Map<Integer, Use> uses = new TreeMap<>();

    BarrierRules(FaultSite rankSite) {
        this.rankSite = rankSite;
    }

    void use(int block, Operation.Barrier barrier, boolean insidePipeline, FaultSite site) {
        if (barrier.id() < 0 || barrier.id() > GREATEST_ID) {
            throw site.fault("barrier_id", barrier.id(), "0 to " + GREATEST_ID);
        }
        if (barrier.threadBlocks() < 1) {
            throw site.fault("num_threadblocks", barrier.threadBlocks(), "1 or more");
        }
        Use use = uses.computeIfAbsent(barrier.id(), _ -> new Use(barrier.threadBlocks(), site));
        if (use.participants != barrier.threadBlocks()) {
            throw site.fault(
                    "num_threadblocks",
                    barrier.threadBlocks(),
                    use.participants + ", as in the first use of barrier " + barrier.id() + " on this rank");
        }
        use.arrivals.merge(block, 1, Integer::sum);
        use.insidePipeline |= insidePipeline;
    }

    /** Checks what only all blocks together show. */
    void finish() {
        uses.forEach((id, use) -> {
            int blocks = use.arrivals.size();
            if (blocks < use.participants) {
                throw use.first.fault(
                        "num_threadblocks",
                        use.participants,
                        "1 to " + blocks + ", the number of blocks that use barrier " + id
                                + "; it would wait for ever");
            }
            if (!use.insidePipeline && blocks == use.participants) {
                requireEqualArrivals(id, use);
            }
        });
    }

    private void requireEqualArrivals(int id, Use use) {
        var arrivals = use.arrivals.entrySet();
        var most = Collections.max(arrivals, Map.Entry.comparingByValue());
        var least = Collections.min(arrivals, Map.Entry.comparingByValue());
        if (!most.getValue().equals(least.getValue())) {
            throw rankSite.fault("barrier " + id + " is reached " + most.getValue() + " times by block " + most.getKey()
                    + ", and " + least.getValue() + " times by block " + least.getKey()
                    + "; allowed: equally often, or some block waits for ever");
        }
    }
}
