package org.mscclj.conformance.group;

import java.util.List;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.BusyCarriers;

/**
 * A group of ranks of this process, while virtual threads keep all carriers busy. They do so from before the group is
 * opened until it is closed.
 *
 * @param group the ranks
 * @param busy the holder of those virtual threads
 */
record BusyRankGroup(RankGroup group, BusyCarriers busy) implements RankGroup {
    @Override
    public List<RankVerdict> run(TestCase test, RankCheck check) {
        return group.run(test, check);
    }

    @Override
    public boolean isUsable() {
        return group.isUsable();
    }

    @Override
    public void close() {
        try (busy) {
            group.close();
        }
    }
}
