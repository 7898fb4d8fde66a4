package org.mscclj.cli.ranks;

/** What every rank does, the same on all of them. */
@FunctionalInterface
public interface RankPart {
    /** Runs one rank's part; what it throws ends the other ranks, too. */
    void run(RankSession session);
}
