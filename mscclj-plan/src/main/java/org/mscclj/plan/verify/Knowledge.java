package org.mscclj.plan.verify;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What somebody knows to have happened, as two vector clocks over all blocks. Everything that agent {@code a} has done
 * up to step {@code full(a)} is done and visible; of what it has done up to step {@code reads(a)}, the reads are done,
 * and writes may still be under way. A relaxed signal tells of reads only, which is why there are two. Nowhere is
 * {@code reads} less than {@code full}.
 *
 * <p>A clock is a tree of three levels whose nodes never change and are shared by any number of clocks, so that a copy
 * costs a few references. Whoever learns takes over each node in which the other knows at least as much, which between
 * neighbours is nearly every one, and makes new ones only where each knows something that the other does not.
 *
 * <p>Proxies have no places in the clocks. What is known of them follows from what is known of blocks that have heard
 * of them, {@link FirstHand}, but for what was heard of them directly, until a block has taken note of it.
 */
final class Knowledge {
    private static final int BITS = 6;
    private static final int WIDTH = 1 << BITS;

    /** Of agents of whom nothing is known. */
    private static final int[] NO_STEPS = new int[WIDTH];

    private static final int[][] NO_PAGES = new int[WIDTH][];

    static {
        Arrays.fill(NO_PAGES, NO_STEPS);
    }

    /** Steps of a proxy. */
    private record Steps(int full, int reads) {
        private static final Steps NONE = new Steps(0, 0);

        Steps max(Steps other) {
            return new Steps(Math.max(full, other.full), Math.max(reads, other.reads));
        }
    }

    private final FirstHand firstHand;
    private final int[][][] full;
    private final int[][][] reads;

    /** What was heard of proxies directly, and no block has taken note of. */
    private final Map<Integer, Steps> ofProxies;

    private Knowledge(FirstHand firstHand, int[][][] full, int[][][] reads, Map<Integer, Steps> ofProxies) {
        this.firstHand = firstHand;
        this.full = full;
        this.reads = reads;
        this.ofProxies = ofProxies;
    }

    static Knowledge none(FirstHand firstHand) {
        int[][][] books = new int[(firstHand.blocks() + WIDTH * WIDTH - 1) >> (2 * BITS)][][];
        Arrays.fill(books, NO_PAGES);
        return new Knowledge(firstHand, books, books.clone(), new HashMap<>(0));
    }

    Knowledge copy() {
        return new Knowledge(firstHand, full.clone(), reads.clone(), new HashMap<>(ofProxies));
    }

    int full(int agent) {
        return firstHand.isProxy(agent) ? Math.max(ofProxy(agent).full, firstHand.full(agent, this)) : at(full, agent);
    }

    int reads(int agent) {
        return firstHand.isProxy(agent)
                ? Math.max(ofProxy(agent).reads, firstHand.reads(agent, this))
                : at(reads, agent);
    }

    private Steps ofProxy(int proxy) {
        return ofProxies.getOrDefault(proxy, Steps.NONE);
    }

    private void raise(int proxy, Steps steps) {
        ofProxies.merge(proxy, steps, Steps::max);
    }

    /** Whether something was heard of a proxy that no block has taken note of. */
    boolean hasFirstHand() {
        return !ofProxies.isEmpty();
    }

    /** A block takes note of what it has heard of proxies, in a step of its own. */
    void settle(int block, int step) {
        ofProxies.forEach((proxy, steps) -> firstHand.learn(block, step, proxy, steps.full, steps.reads));
        ofProxies.clear();
    }

    private static int at(int[][][] clock, int agent) {
        return clock[agent >> (2 * BITS)][(agent >> BITS) & (WIDTH - 1)][agent & (WIDTH - 1)];
    }

    /** Everything of an agent up to a step. */
    void learn(int agent, int step) {
        if (firstHand.isProxy(agent)) {
            raise(agent, new Steps(step, step));
            return;
        }
        int book = agent >> (2 * BITS);
        boolean shared = isSame(full[book], reads[book]);
        raise(full, agent, step);
        if (shared) {
            reads[book] = full[book];
        } else {
            raise(reads, agent, step);
        }
    }

    /** The reads of an agent up to a step. */
    void learnReads(int agent, int step) {
        if (firstHand.isProxy(agent)) {
            raise(agent, new Steps(0, step));
            return;
        }
        raise(reads, agent, step);
    }

    private static void raise(int[][][] clock, int agent, int step) {
        if (at(clock, agent) < step) {
            int[][] book = clock[agent >> (2 * BITS)].clone();
            int[] page = book[(agent >> BITS) & (WIDTH - 1)].clone();
            page[agent & (WIDTH - 1)] = step;
            book[(agent >> BITS) & (WIDTH - 1)] = page;
            clock[agent >> (2 * BITS)] = book;
        }
    }

    void learn(Knowledge other) {
        for (int book = 0; book < full.length; book++) {
            boolean shared = isSame(full[book], reads[book]) && isSame(other.full[book], other.reads[book]);
            full[book] = joined(full[book], other.full[book]);
            reads[book] = shared ? full[book] : joined(reads[book], other.reads[book]);
        }
        other.ofProxies.forEach(this::raise);
    }

    void learnReads(Knowledge other) {
        for (int book = 0; book < reads.length; book++) {
            reads[book] = joined(reads[book], other.reads[book]);
        }
        other.ofProxies.forEach((proxy, steps) -> raise(proxy, new Steps(0, steps.reads)));
    }

    @SuppressWarnings("ReferenceEquality") // whether a node is shared, and so equal without a look at it
    private static boolean isSame(Object one, Object other) {
        return one == other;
    }

    /** The greater steps of both: one of the two, if it has them all. */
    private static int[][] joined(int[][] one, int[][] other) {
        if (isSame(one, other) || isSame(other, NO_PAGES)) {
            return one;
        }
        if (isSame(one, NO_PAGES)) {
            return other;
        }
        int[][] book = new int[WIDTH][];
        boolean isOne = true;
        boolean isOther = true;
        for (int page = 0; page < WIDTH; page++) {
            book[page] = joined(one[page], other[page]);
            isOne &= isSame(book[page], one[page]);
            isOther &= isSame(book[page], other[page]);
        }
        return isOne ? one : isOther ? other : book;
    }

    private static int[] joined(int[] one, int[] other) {
        if (isSame(one, other) || isSame(other, NO_STEPS)) {
            return one;
        }
        if (isSame(one, NO_STEPS)) {
            return other;
        }
        int ahead = 0; // the sign tells whether one is ahead anywhere
        int behind = 0;
        for (int i = 0; i < WIDTH; i++) {
            ahead |= other[i] - one[i];
            behind |= one[i] - other[i];
        }
        if (behind >= 0) {
            return one;
        }
        if (ahead >= 0) {
            return other;
        }
        int[] page = new int[WIDTH];
        for (int i = 0; i < WIDTH; i++) {
            page[i] = Math.max(one[i], other[i]);
        }
        return page;
    }
}
