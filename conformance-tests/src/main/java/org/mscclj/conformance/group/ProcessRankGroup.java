package org.mscclj.conformance.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.group.ProcessRank.Answer;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.Opened;
import org.mscclj.conformance.task.TimeLimits;

/** A group of ranks that are processes, with the class path and module path of this process. */
final class ProcessRankGroup implements RankGroup {
    /** The time that a VM has to start, beside the timeout of an operation, within which ranks must meet. */
    private static final Duration START = Duration.ofSeconds(40);

    private final List<ProcessRank> ranks;
    private final Duration timeout;
    private boolean usable = true;

    ProcessRankGroup(List<ProcessRank> ranks, Duration timeout) {
        this.ranks = ranks;
        this.timeout = timeout;
    }

    static RankGroup start(Mode mode, int world, GroupKind kind, InstalledGroups settings) {
        Duration limit = settings.timeout().plus(START);
        List<ProcessRank> ranks = new ArrayList<>();
        ProcessRankGroup group = new ProcessRankGroup(ranks, settings.timeout());
        try {
            for (int rank = 0; rank < world; rank++) {
                ranks.add(ProcessRank.start(rank, world, mode.ranksPerNode(world), kind, settings));
            }
            ranks.getFirst().tell("create");
            String id = require(0, ranks.getFirst().answer("id ", limit));
            ranks.forEach(rank -> rank.tell("join " + id));
            for (int rank = 0; rank < world; rank++) {
                require(rank, ranks.get(rank).answer("ready", limit));
            }
            return group;
        } catch (RuntimeException | Error e) {
            group.usable = false;
            try (group) {
                throw e;
            }
        }
    }

    private static String require(int rank, Answer answer) {
        return answer.text()
                .orElseThrow(() ->
                        new UnsupportedException("rank " + rank + " did not join as a process: " + answer.problem()));
    }

    @Override
    public List<RankVerdict> run(TestCase test, RankCheck check) {
        ranks.forEach(rank -> rank.tell("case " + test.line()));
        // A rank that hangs reports where it is, if its process still can.
        Duration limit = TimeLimits.ofCase(timeout, test.elements()).plus(TimeLimits.GRACE);
        OptionalInt killedOnPurpose = check.kills(test);
        List<RankVerdict> verdicts = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            Answer answer = ranks.get(rank).answer("verdict ", limit);
            boolean killed = killedOnPurpose.isPresent()
                    && killedOnPurpose.getAsInt() == rank
                    && ranks.get(rank).isKilled(answer);
            verdicts.add(killed ? new RankVerdict(rank, 0, List.of()) : verdict(rank, answer));
        }
        // A verdict does not show whether the communicator was aborted during the case, so each finding that may come
        // from an abort counts.
        usable = verdicts.stream()
                .flatMap(verdict -> verdict.findings().stream())
                .noneMatch(finding -> switch (finding.kind()) {
                    case TIMED_OUT, HUNG, ERROR, ABORTED -> true;
                    default -> false;
                });
        return verdicts;
    }

    /** A line that cannot be parsed counts as no answer. */
    private static RankVerdict verdict(int rank, Answer answer) {
        try {
            return answer.text().map(RankVerdict::parse).orElseGet(() -> RankVerdict.hung(rank, answer.problem()));
        } catch (InvalidArgumentException e) {
            return RankVerdict.hung(rank, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean isUsable() {
        return usable;
    }

    @Override
    public void close() {
        // Ranks that have failed, or that wait for a failed rank, get only the short limit.
        Duration limit = usable ? timeout.plus(TimeLimits.GRACE) : TimeLimits.GRACE;
        usable = false;
        ranks.forEach(rank -> rank.tell("close"));
        try (Opened ends = new Opened()) {
            ranks.reversed().forEach(rank -> ends.add(rank, ended -> ended.end(limit)));
        }
    }
}
