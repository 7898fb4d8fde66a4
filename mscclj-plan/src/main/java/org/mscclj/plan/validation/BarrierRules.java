package org.mscclj.plan.validation;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.mscclj.plan.Operation;

/**
 * Checks the barriers of one rank. An id always has the same number of participants. A barrier with fewer blocks than
 * participants, or with an incomplete last use, certainly deadlocks and is refused.
 *
 * <p>More blocks than participants are allowed, since other blocks may reuse an id. The verifier decides whether such
 * uses can mix, and checks everything inside pipelines, whose iterations depend on the message size.
 */
final class BarrierRules {
    /** Engines keep one counter for each id up to the greatest. */
    private static final int MAX_ID = 65_535;

    /** The uses of one id. */
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
        if (barrier.id() < 0 || barrier.id() > MAX_ID) {
            throw site.fault("barrier_id", barrier.id(), "0 to " + MAX_ID);
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

    /** Checks the conditions on all blocks together. */
    void finish() {
        uses.forEach((id, use) -> {
            int blocks = use.arrivals.size();
            if (blocks < use.participants) {
                throw use.first.fault(
                        "num_threadblocks",
                        use.participants,
                        "1 to " + blocks + ", the number of blocks that use barrier " + id
                                + "; otherwise it deadlocks");
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
                    + "; allowed: equally often, or some block waits forever");
        }
    }
}
