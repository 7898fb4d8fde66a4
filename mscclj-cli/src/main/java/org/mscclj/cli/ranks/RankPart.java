package org.mscclj.cli.ranks;

/** The code that every rank runs. */
@FunctionalInterface
public interface RankPart {
    /** Runs the code of one rank. An exception ends the other ranks, too. */
    void run(RankSession session);
}
