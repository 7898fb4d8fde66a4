package org.mscclj.plan.verify;

import java.util.Arrays;

/**
 * What somebody knows to have happened, as two vector clocks over all agents. Everything that agent {@code a} has done up to step {@code
 * full(a)} is done and visible; of what it has done up to step {@code reads(a)}, the reads are done, and writes may still be under way. A
 * relaxed signal tells of reads only, which is why there are two. Nowhere is {@code reads} less than {@code full}.
 *
 * <p>Clocks are kept in pages that never change and that any number of clocks share, so that a copy costs a few references. Whoever learns takes
 * over each page in which the other knows at least as much, which between neighbours is nearly every page, and makes a new one only where
 * each knows something that the other does not.
 */
final class Knowledge {
    private static final int PAGE_BITS = 6;
    private static final int PAGE = 1 << PAGE_BITS;

    /** Of agents of whom nothing is known. */
    private static final int[] NOTHING = new int[PAGE];

    private final int agents;
    private final int[][] full;
    private final int[][] reads;

    private Knowledge(int agents, int[][] full, int[][] reads) {
        this.agents = agents;
        this.full = full;
        this.reads = reads;
    }

    static Knowledge none(int agents) {
        int[][] pages = new int[(agents + PAGE - 1) >> PAGE_BITS][];
        Arrays.fill(pages, NOTHING);
        return new Knowledge(agents, pages, pages.clone());
    }

    Knowledge copy() {
        return new Knowledge(agents, full.clone(), reads.clone());
    }

    int agents() {
        return agents;
    }

    int full(int agent) {
        return at(full, agent);
    }

    int reads(int agent) {
        return at(reads, agent);
    }

    private static int at(int[][] pages, int agent) {
        return pages[agent >> PAGE_BITS][agent & PAGE - 1];
    }

    /** Everything of an agent up to a step. */
    void learn(int agent, int step) {
        int page = agent >> PAGE_BITS;
        boolean shared = isSame(full[page], reads[page]);
        raise(full, agent, step);
        if (shared) {
            reads[page] = full[page];
        } else {
            raise(reads, agent, step);
        }
    }

    /** The reads of an agent up to a step. */
    void learnReads(int agent, int step) {
        raise(reads, agent, step);
    }

    private static void raise(int[][] pages, int agent, int step) {
        if (at(pages, agent) < step) {
            int[] page = pages[agent >> PAGE_BITS].clone();
            page[agent & PAGE - 1] = step;
            pages[agent >> PAGE_BITS] = page;
        }
    }

    void learn(Knowledge other) {
        for (int page = 0; page < full.length; page++) {
            boolean shared = isSame(full[page], reads[page]) && isSame(other.full[page], other.reads[page]);
            full[page] = joined(full[page], other.full[page]);
            reads[page] = shared ? full[page] : joined(reads[page], other.reads[page]);
        }
    }

    void learnReads(Knowledge other) {
        for (int page = 0; page < reads.length; page++) {
            reads[page] = joined(reads[page], other.reads[page]);
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether a page is shared, and so equal without a look at it
    private static boolean isSame(int[] one, int[] other) {
        return one == other;
    }

    /** The page of the greater steps: one of the two, if it has them all. */
    private static int[] joined(int[] one, int[] other) {
        if (isSame(one, other) || isSame(other, NOTHING)) {
            return one;
        }
        if (isSame(one, NOTHING)) {
            return other;
        }
        int ahead = 0; // the sign tells whether one is ahead anywhere
        int behind = 0;
        for (int i = 0; i < PAGE; i++) {
            ahead |= other[i] - one[i];
            behind |= one[i] - other[i];
        }
        if (behind >= 0) {
            return one;
        }
        if (ahead >= 0) {
            return other;
        }
        int[] page = new int[PAGE];
        for (int i = 0; i < PAGE; i++) {
            page[i] = Math.max(one[i], other[i]);
        }
        return page;
    }
}
