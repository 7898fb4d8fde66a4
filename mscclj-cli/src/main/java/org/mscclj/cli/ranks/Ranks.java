package org.mscclj.cli.ranks;

/** Ranks that can run a part: all of them, or the one that this process is. */
public sealed interface Ranks permits ThreadRanks, ProcessRank {
    /** Whether rank 0 is here, which does all the talking. */
    boolean includesFirst();

    /**
     * Runs the part on every rank that lives here, and returns when it has ended.
     *
     * @throws org.mscclj.api.error.MsccljException the first failure
     */
    void run(RankSettings settings, RankPart part);
}
