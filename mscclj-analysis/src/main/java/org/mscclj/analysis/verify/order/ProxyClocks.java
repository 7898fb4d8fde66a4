package org.mscclj.analysis.verify.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records which steps of proxies each block has acquired directly, and in which of its own steps. A block acquires from
 * a proxy when it waits for the proxy's signal, reads its packets, or flushes it; all other agents acquire through such
 * a block. A clock that includes the step in which a block acquired from a proxy therefore includes what the block
 * acquired, and the proxies (one for each peer of each rank) need no entry in the vector clocks.
 */
public final class ProxyClocks {
    private final int blocks;
    private final List<List<AcquiredSteps>> acquired = new ArrayList<>();

    /** The steps of one proxy that one block has acquired, with the step of the block. */
    private static final class AcquiredSteps {
        private final int block;
        private final boolean onlyReads;
        private int[] ownSteps = new int[2];
        private int[] upTo = new int[2];
        private int size;

        AcquiredSteps(int block, boolean onlyReads) {
            this.block = block;
            this.onlyReads = onlyReads;
        }

        boolean isOf(int agent, boolean ofReads) {
            return block == agent && onlyReads == ofReads;
        }

        void add(int step, int stepOfProxy) {
            if (size > 0 && upTo[size - 1] >= stepOfProxy) {
                return;
            }
            if (size == ownSteps.length) {
                ownSteps = Arrays.copyOf(ownSteps, 2 * size);
                upTo = Arrays.copyOf(upTo, 2 * size);
            }
            ownSteps[size] = step;
            upTo[size] = stepOfProxy;
            size++;
        }

        /** The last step of the proxy that the block had acquired in one of its own steps. */
        int asOf(int step) {
            int found = Arrays.binarySearch(ownSteps, 0, size, step);
            int last = found >= 0 ? found : -found - 2;
            return last < 0 ? 0 : upTo[last];
        }
    }

    /**
     * Creates an empty record.
     *
     * @param blocks number of blocks; their indices precede those of the proxies
     * @param proxies number of proxies
     */
    public ProxyClocks(int blocks, int proxies) {
        this.blocks = blocks;
        for (int i = 0; i < proxies; i++) {
            acquired.add(new ArrayList<>(2));
        }
    }

    public int blocks() {
        return blocks;
    }

    public boolean isProxy(int agent) {
        return agent >= blocks;
    }

    /**
     * Records that a block, in one of its steps, acquired all accesses of a proxy up to step {@code full}, and its
     * reads up to step {@code reads}.
     */
    public void add(int block, int step, int proxy, int full, int reads) {
        if (full > 0) {
            steps(proxy, block, false).add(step, full);
        }
        if (reads > full) {
            steps(proxy, block, true).add(step, reads);
        }
    }

    private AcquiredSteps steps(int proxy, int block, boolean onlyReads) {
        List<AcquiredSteps> ofProxy = acquired.get(proxy - blocks);
        for (AcquiredSteps steps : ofProxy) {
            if (steps.isOf(block, onlyReads)) {
                return steps;
            }
        }
        AcquiredSteps made = new AcquiredSteps(block, onlyReads);
        ofProxy.add(made);
        return made;
    }

    /** The last step of a proxy whose accesses a clock includes. */
    public int full(int proxy, VectorClock clock) {
        int last = 0;
        for (AcquiredSteps steps : acquired.get(proxy - blocks)) {
            if (!steps.onlyReads) {
                last = Math.max(last, steps.asOf(clock.full(steps.block)));
            }
        }
        return last;
    }

    /** The last step of a proxy whose reads a clock includes. */
    public int reads(int proxy, VectorClock clock) {
        int last = 0;
        for (AcquiredSteps steps : acquired.get(proxy - blocks)) {
            last = Math.max(last, steps.asOf(clock.reads(steps.block)));
        }
        return last;
    }
}
