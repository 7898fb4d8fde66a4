package org.mscclj.conformance.group;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;

/** One group for each number of ranks and kind, opened when it is first needed and again when a failure has spoiled it. Used by one thread. */
public final class GroupPool implements AutoCloseable {
    private final RankGroups groups;
    private final Mode mode;
    private final Map<Key, RankGroup> open = new HashMap<>();
    private final List<String> closingFailures = new ArrayList<>();

    private record Key(int world, GroupKind kind) {}

    /** An empty pool. */
    public GroupPool(RankGroups groups, Mode mode) {
        this.groups = groups;
        this.mode = mode;
    }

    /**
     * Tries a case.
     *
     * @param kind the kind of group that it needs
     * @param spoils whether the group cannot be used afterwards
     * @throws org.mscclj.api.error.MsccljException if a group cannot be opened
     */
    public List<RankVerdict> run(TestCase test, RankCheck check, GroupKind kind, boolean spoils) {
        Key key = new Key(test.world(), kind);
        RankGroup group = open.computeIfAbsent(key, wanted -> groups.open(mode, wanted.world(), wanted.kind()));
        List<RankVerdict> verdicts;
        try {
            verdicts = group.run(test, check);
        } catch (RuntimeException | Error e) {
            open.remove(key);
            try (group) {
                throw e;
            }
        }
        if (spoils || !group.isUsable()) {
            open.remove(key);
            close(group, "after " + test.line(), verdicts.stream().anyMatch(GroupPool::hasFailed));
        }
        return verdicts;
    }

    private static boolean hasFailed(RankVerdict verdict) {
        return verdict.findings().stream().anyMatch(finding -> finding.kind() != FindingKind.NO_PART);
    }

    /** What went wrong when groups were closed that had not failed before. */
    public List<String> closingFailures() {
        return List.copyOf(closingFailures);
    }

    private void close(RankGroup group, String when, boolean failed) {
        try {
            group.close();
        } catch (RuntimeException | Error e) { // of the implementation, which may throw anything
            if (!failed) {
                closingFailures.add(when + ": " + e);
            }
        }
    }

    /** Closes what is open; throws nothing. */
    @Override
    public void close() {
        open.forEach((key, group) -> close(group, key.world() + " ranks at the end", false));
        open.clear();
    }
}
