package org.mscclj.conformance.group;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;

/** One group for each number of ranks, opened when it is first needed and again when a failure has spoiled it. Used by one thread. */
public final class GroupPool implements AutoCloseable {
    private final RankGroups groups;
    private final Mode mode;
    private final Map<Integer, RankGroup> open = new HashMap<>();

    /** An empty pool. */
    public GroupPool(RankGroups groups, Mode mode) {
        this.groups = groups;
        this.mode = mode;
    }

    /**
     * Tries a case.
     *
     * @param spoils whether the group cannot be used afterwards
     * @throws org.mscclj.api.error.MsccljException if a group cannot be opened
     */
    public List<RankVerdict> run(TestCase test, RankCheck check, boolean spoils) {
        RankGroup group = open.computeIfAbsent(test.world(), world -> groups.open(mode, world));
        List<RankVerdict> verdicts = group.run(test, check);
        if (spoils || !group.isUsable()) {
            open.remove(test.world());
            group.close();
        }
        return verdicts;
    }

    @Override
    public void close() {
        open.values().forEach(RankGroup::close);
        open.clear();
    }
}
