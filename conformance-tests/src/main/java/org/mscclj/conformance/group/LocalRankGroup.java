package org.mscclj.conformance.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.rank.OwnProcess;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankRun;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.DaemonTask;
import org.mscclj.conformance.task.TimeLimits;

/**
 * A group of ranks that are threads of this process. The group leaves a rank that hangs behind in its daemon thread.
 */
public final class LocalRankGroup implements RankGroup {
    private static final OwnProcess NO_PROCESS = new OwnProcess() {
        @Override
        public boolean canBeSignalled() {
            return false;
        }

        @Override
        public boolean canBeCutOff() {
            return false;
        }

        @Override
        public void kill() {
            throw new UnsupportedException("this rank is a thread");
        }

        @Override
        public void stop(int seconds) {
            throw new UnsupportedException("this rank is a thread");
        }

        @Override
        public void cutOff() {
            throw new UnsupportedException("this rank is a thread");
        }
    };

    private final LocalGroup group;
    private final Duration timeout;
    private final IntFunction<OwnProcess> processes;
    private boolean usable = true;

    /**
     * Creates a group over a local group, which it closes.
     *
     * @param timeout the timeout of an operation
     */
    public LocalRankGroup(LocalGroup group, Duration timeout) {
        this(group, timeout, rank -> NO_PROCESS);
    }

    /**
     * Creates a group over a local group, which it closes.
     *
     * @param timeout the timeout of an operation
     * @param processes what ranks do that act as if they were processes
     */
    public LocalRankGroup(LocalGroup group, Duration timeout, IntFunction<OwnProcess> processes) {
        this.group = group;
        this.timeout = timeout;
        this.processes = processes;
    }

    @Override
    public List<RankVerdict> run(TestCase test, RankCheck check) {
        List<DaemonTask<RankVerdict>> verdicts = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            Communicator communicator = group.communicator(rank);
            OwnProcess process = processes.apply(rank);
            verdicts.add(DaemonTask.start(
                    "conformance-rank-" + rank, () -> RankRun.run(communicator, test, check, timeout, process)));
        }
        long end =
                System.nanoTime() + TimeLimits.ofCase(timeout, test.elements()).toNanos();
        OptionalInt killed = check.kills(test);
        Map<Integer, String> late = new HashMap<>();
        for (int rank = 0; rank < group.size(); rank++) {
            DaemonTask<RankVerdict> verdict = verdicts.get(rank);
            if (!isKilled(killed, rank) && !verdict.endsBy(end)) {
                late.put(rank, verdict.where()); // before an abort changes it
                group.abort("conformance: a rank did not return from " + test.line());
                end = Math.min(end, System.nanoTime() + TimeLimits.GRACE.toNanos());
            }
        }
        List<RankVerdict> collected = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            DaemonTask<RankVerdict> verdict = verdicts.get(rank);
            collected.add(
                    isKilled(killed, rank)
                            ? new RankVerdict(rank, 0, List.of())
                            : verdict.endsBy(end)
                                    ? verdict.result()
                                    : RankVerdict.hung(
                                            rank,
                                            "did not return, nor after the group was aborted; it was "
                                                    + late.getOrDefault(rank, verdict.where())));
        }
        usable = !group.communicator(0).isAborted();
        return collected;
    }

    private static boolean isKilled(OptionalInt killed, int rank) {
        return killed.isPresent() && killed.getAsInt() == rank;
    }

    @Override
    public boolean isUsable() {
        return usable;
    }

    @Override
    public void close() {
        usable = false;
        Duration limit = timeout.plus(TimeLimits.GRACE);
        DaemonTask<Boolean> closing = DaemonTask.start("conformance-close", () -> {
            group.close();
            return true;
        });
        try {
            if (!closing.endsWithin(limit)) {
                throw new OperationTimeoutException(
                        "a group of " + group.size() + " ranks was not closed within " + DurationText.of(limit),
                        List.of());
            }
            closing.result();
        } catch (RuntimeException | Error e) {
            group.abort("conformance: closing took too long, or failed");
            throw e;
        }
    }
}
