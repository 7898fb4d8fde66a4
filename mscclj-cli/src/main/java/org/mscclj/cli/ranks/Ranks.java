package org.mscclj.cli.ranks;

/** The ranks that this process runs: all of them as threads, or one. */
public sealed interface Ranks permits ThreadRanks, LaunchedRank {
    /** Whether rank 0, which prints the results, runs in this process. */
    boolean includesFirst();

    /**
     * Runs the part on every rank of this process, and returns when all have ended.
     *
     * @throws org.mscclj.api.error.MsccljException the first failure
     */
    void run(RankSettings settings, RankPart part);
}
