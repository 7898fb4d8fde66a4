package org.mscclj.conformance.rank.late;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of late and different calls. */
public final class LateChecks {
    private LateChecks() {}

    /** Checks that timeouts name calls that differ. */
    public static RankCheck differentCalls() {
        return new DifferentCallsCheck();
    }

    /** Checks a rank that does not launch within the timeout. */
    public static RankCheck lateLaunch() {
        return new LateLaunchCheck();
    }

    /** Checks a rank that launches another graph than the others. */
    public static RankCheck otherReplay() {
        return new LateReplayCheck(ReplayedKind.OTHER_COLLECTIVE);
    }

    /** Checks a rank that does not launch a graph of window signals within the timeout. */
    public static RankCheck lateReplayOfSignals() {
        return new LateReplayCheck(ReplayedKind.SIGNALS);
    }

    /** Checks parts whose sizes differ at their two ends. */
    public static RankCheck unequalParts() {
        return new UnequalPartsCheck();
    }

    /** Checks a rank whose process is stopped for a longer time than the timeout. */
    public static RankCheck stoppedTooLong() {
        return new StoppedRankCheck(true);
    }

    /** Checks that a timeout names a rank that launches late. */
    public static RankCheck missingRank() {
        return new MissingRankCheck();
    }

    /** Checks that ranks which compare their calls refuse calls that differ. */
    public static RankCheck comparedCalls() {
        return new ComparedCallsCheck();
    }

    /** Checks ranks that launch later than others, but within the timeout. */
    public static RankCheck delayedRank() {
        return new DelayedRankCheck();
    }

    /** Checks a rank that does not launch a graph within the timeout. */
    public static RankCheck lateReplay() {
        return new LateReplayCheck(ReplayedKind.COLLECTIVE);
    }

    /** Checks a rank that does not launch a graph of sends and receives within the timeout. */
    public static RankCheck lateReplayOfMessages() {
        return new LateReplayCheck(ReplayedKind.MESSAGES);
    }

    /** Checks a rank whose process is stopped for a shorter time than the timeout. */
    public static RankCheck stoppedForAWhile() {
        return new StoppedRankCheck(false);
    }
}
