package org.mscclj.analysis.verify.order;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A pair of vector clocks over all blocks: which steps happen before the present one. All accesses of agent {@code a}
 * up to step {@code full(a)} are complete and visible; of its accesses up to step {@code reads(a)}, the reads are
 * complete, while writes may be in flight. Two clocks are needed because a relaxed signal releases reads only.
 * {@code reads} is never less than {@code full}.
 *
 * <p>A clock is a tree of three levels with immutable nodes that clocks share, so a copy costs a few references. A join
 * takes over each node in which the other clock is nowhere behind, which is nearly every node between neighbours, and
 * creates nodes only where each clock is ahead somewhere.
 *
 * <p>Proxies have no entries in the clocks. {@link ProxyClocks} derives their steps from the steps of blocks that
 * acquired from them. A clock holds the steps of proxies itself only until its block records them there.
 */
public final class VectorClock {
    private static final int BITS = 6;
    private static final int WIDTH = 1 << BITS;

    /** The node of agents without a step. */
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

    private final ProxyClocks proxyClocks;
    private final int[][][] full;
    private final int[][][] reads;

    /** Steps of proxies that were acquired directly, and that no block has recorded yet. */
    private final Map<Integer, Steps> ofProxies;

    private VectorClock(ProxyClocks proxyClocks, int[][][] full, int[][][] reads, Map<Integer, Steps> ofProxies) {
        this.proxyClocks = proxyClocks;
        this.full = full;
        this.reads = reads;
        this.ofProxies = ofProxies;
    }

    public static VectorClock zero(ProxyClocks proxyClocks) {
        int[][][] books = new int[(proxyClocks.blocks() + WIDTH * WIDTH - 1) >> (2 * BITS)][][];
        Arrays.fill(books, NO_PAGES);
        return new VectorClock(proxyClocks, books, books.clone(), new HashMap<>(0));
    }

    public VectorClock copy() {
        return new VectorClock(proxyClocks, full.clone(), reads.clone(), new HashMap<>(ofProxies));
    }

    public int full(int agent) {
        return proxyClocks.isProxy(agent)
                ? Math.max(ofProxy(agent).full, proxyClocks.full(agent, this))
                : at(full, agent);
    }

    public int reads(int agent) {
        return proxyClocks.isProxy(agent)
                ? Math.max(ofProxy(agent).reads, proxyClocks.reads(agent, this))
                : at(reads, agent);
    }

    private Steps ofProxy(int proxy) {
        return ofProxies.getOrDefault(proxy, Steps.NONE);
    }

    private void raise(int proxy, Steps steps) {
        ofProxies.merge(proxy, steps, Steps::max);
    }

    /** Whether the clock holds steps of a proxy that no block has recorded. */
    public boolean hasProxySteps() {
        return !ofProxies.isEmpty();
    }

    /** Records the steps of proxies that a block acquired, in one of the block's own steps. */
    public void recordProxySteps(int block, int step) {
        ofProxies.forEach((proxy, steps) -> proxyClocks.add(block, step, proxy, steps.full, steps.reads));
        ofProxies.clear();
    }

    private static int at(int[][][] clock, int agent) {
        return clock[agent >> (2 * BITS)][(agent >> BITS) & (WIDTH - 1)][agent & (WIDTH - 1)];
    }

    /** Includes all accesses of an agent up to a step. */
    public void include(int agent, int step) {
        if (proxyClocks.isProxy(agent)) {
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

    /** Includes the reads of an agent up to a step. */
    public void includeReads(int agent, int step) {
        if (proxyClocks.isProxy(agent)) {
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

    public void include(VectorClock other) {
        for (int book = 0; book < full.length; book++) {
            boolean shared = isSame(full[book], reads[book]) && isSame(other.full[book], other.reads[book]);
            full[book] = joined(full[book], other.full[book]);
            reads[book] = shared ? full[book] : joined(reads[book], other.reads[book]);
        }
        other.ofProxies.forEach(this::raise);
    }

    public void includeReads(VectorClock other) {
        for (int book = 0; book < reads.length; book++) {
            reads[book] = joined(reads[book], other.reads[book]);
        }
        other.ofProxies.forEach((proxy, steps) -> raise(proxy, new Steps(0, steps.reads)));
    }

    @SuppressWarnings("ReferenceEquality") // a shared node is equal without a comparison
    private static boolean isSame(Object one, Object other) {
        return one == other;
    }

    /** The greater steps of both; one of the two itself if it is nowhere behind. */
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
        int ahead = 0; // the sign says which of the two is ahead
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
