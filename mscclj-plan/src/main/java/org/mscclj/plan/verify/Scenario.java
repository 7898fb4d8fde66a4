package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * A size to verify for. Bytes are looked at in cells, as many in every chunk: enough that each share of a thread-block group and each iteration
 * of a pipeline has cells of its own. A plan is verified for a chunk that divides evenly, for one cell more, and for a single cell, where most
 * shares are empty.
 *
 * @param cellsPerChunk cells of a chunk
 * @param cellsPerIteration cells of a pipeline's iteration
 */
record Scenario(int cellsPerChunk, int cellsPerIteration) {
    private static final int MOST_CELLS = 256;

    /** Iterations, so that what is done again meets what was done before, twice. */
    private static final int ITERATIONS = 3;

    /** What a plan needs to be verified for. */
    static List<Scenario> of(Plan plan) {
        int shares = 1;
        boolean pipelines = false;
        for (RankPlan rank : plan.ranks()) {
            for (ThreadBlock block : rank.threadBlocks()) {
                for (Operation operation : block.operations()) {
                    if (operation instanceof Operation.Pipeline pipeline) {
                        pipelines = true;
                        for (Operation inner : pipeline.operations()) {
                            shares = withShares(shares, inner);
                        }
                    } else {
                        shares = withShares(shares, operation);
                    }
                }
            }
        }
        List<Scenario> scenarios = new ArrayList<>();
        int iterations = pipelines ? ITERATIONS : 1;
        scenarios.add(new Scenario(shares * iterations, shares));
        if (shares * iterations > 1) {
            scenarios.add(new Scenario(shares * iterations + 1, shares));
            scenarios.add(new Scenario(1, 1));
        }
        return scenarios;
    }

    /** How often a pipeline's operations are done. */
    int iterations(Operation.Pipeline pipeline) {
        int cells = pipeline.chunks() * cellsPerChunk;
        return (cells + cellsPerIteration - 1) / cellsPerIteration;
    }

    private static int withShares(int shares, Operation operation) {
        if (!(operation instanceof Operation.Data data)) {
            return shares;
        }
        int size = data.share().groupSize();
        int multiple = shares / greatestCommonDivisor(shares, size) * size;
        return Math.min(multiple, Math.max(MOST_CELLS, Math.max(shares, size)));
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
