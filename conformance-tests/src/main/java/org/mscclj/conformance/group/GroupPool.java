package org.mscclj.conformance.group;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Keeps one group for each number of ranks and kind. The pool opens a group at its first use, and again after a failure
 * has made it unusable. Used by one thread.
 *
 * <p>Ranks that are threads share what their process has on a device: the thread blocks that may wait there at once,
 * and hardware queues. So at most {@code MAX_THREADS} ranks of this sort stay open; the pool closes the least recently
 * used group first. Ranks that are processes share nothing, and take seconds to start.
 */
public final class GroupPool implements AutoCloseable {
    /** The sum of all numbers of ranks that the quick suite tries by itself. */
    static final int MAX_THREADS = 12;

    private final RankGroups groups;
    private final Mode mode;
    private final Map<Key, RankGroup> open = new LinkedHashMap<>(16, 0.75f, true); // the least recently used first
    private final List<String> closingFailures = new ArrayList<>();

    private record Key(int world, GroupKind kind) {}

    /** Creates an empty pool. */
    public GroupPool(RankGroups groups, Mode mode) {
        this.groups = groups;
        this.mode = mode;
    }

    /**
     * Tries a case.
     *
     * @param kind the kind of group that the case needs
     * @param spoils whether the group cannot be used afterwards
     * @throws org.mscclj.api.error.MsccljException if a group cannot be opened
     */
    public List<RankVerdict> run(TestCase test, RankCheck check, GroupKind kind, boolean spoils) {
        Key key = new Key(test.world(), kind);
        RankGroup group = group(key);
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

    private RankGroup group(Key wanted) {
        RankGroup known = open.get(wanted);
        if (known != null) {
            return known;
        }
        if (!mode.isOfProcesses()) {
            makeRoom(MAX_THREADS - wanted.world());
        }
        RankGroup opened = groups.open(mode, wanted.world(), wanted.kind());
        open.put(wanted, opened);
        return opened;
    }

    /** Closes groups until at most this number of ranks is open. */
    private void makeRoom(int mostRanks) {
        int ranks = open.keySet().stream().mapToInt(Key::world).sum();
        Iterator<Map.Entry<Key, RankGroup>> oldest = open.entrySet().iterator();
        while (ranks > mostRanks && oldest.hasNext()) {
            Map.Entry<Key, RankGroup> entry = oldest.next();
            oldest.remove();
            ranks -= entry.getKey().world();
            close(entry.getValue(), entry.getKey().world() + " ranks, for another group", false);
        }
    }

    private static boolean hasFailed(RankVerdict verdict) {
        return verdict.findings().stream().anyMatch(finding -> finding.kind() != FindingKind.NO_PART);
    }

    /** Returns what failed when the pool closed groups that had not failed before. */
    public List<String> closingFailures() {
        return List.copyOf(closingFailures);
    }

    private void close(RankGroup group, String when, boolean failed) {
        try {
            group.close();
        } catch (RuntimeException | Error e) { // the implementation may throw anything
            if (!failed) {
                closingFailures.add(when + ": " + e);
            }
        }
    }

    /** Closes all open groups; throws nothing. */
    @Override
    public void close() {
        open.forEach((key, group) -> close(group, key.world() + " ranks at the end", false));
        open.clear();
    }
}
