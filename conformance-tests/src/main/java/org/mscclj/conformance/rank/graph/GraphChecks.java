package org.mscclj.conformance.rank.graph;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of graphs. */
public final class GraphChecks {
    private GraphChecks() {}

    /** Checks graphs and launches that depend on each other. */
    public static RankCheck graphOrder() {
        return new GraphOrderCheck();
    }

    /** Checks graphs that outlive what they hold. */
    public static RankCheck graphLife() {
        return new GraphLifeCheck();
    }

    /** Checks graphs between other launches. */
    public static RankCheck graphReplay() {
        return new GraphReplayCheck();
    }

    /** Checks a graph of two communicators. */
    public static RankCheck graphBranches() {
        return new GraphBranchesCheck();
    }
}
