package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.analysis.verify.order.VectorClock;
import org.mscclj.plan.RankPlan;

/** The progress of one rank through the launches. */
final class SymbolicRank {
    private final RankPlan plan;
    private final SymbolicMemory memory;
    private final List<Block> blocks;
    private final List<Agent> proxies;
    private final List<Counter> semaphores;
    private final Agent application;
    private final Map<Integer, List<Block>> barriers = new HashMap<>();
    private int launch;
    private int running;
    private VectorClock begin;

    /**
     * Creates a rank before its first launch.
     *
     * @param proxies one for each port channel
     * @param application agent of the application between launches
     */
    SymbolicRank(
            RankPlan plan,
            SymbolicMemory memory,
            List<Block> blocks,
            List<Agent> proxies,
            List<Counter> semaphores,
            Agent application) {
        this.plan = plan;
        this.memory = memory;
        this.blocks = blocks;
        this.proxies = proxies;
        this.semaphores = semaphores;
        this.application = application;
        this.begin = application.release();
    }

    RankPlan plan() {
        return plan;
    }

    SymbolicMemory memory() {
        return memory;
    }

    List<Block> blocks() {
        return blocks;
    }

    List<Agent> proxies() {
        return proxies;
    }

    List<Counter> semaphores() {
        return semaphores;
    }

    Agent application() {
        return application;
    }

    /** Blocks that wait at a barrier. */
    List<Block> atBarrier(int id) {
        return barriers.computeIfAbsent(id, _ -> new ArrayList<>());
    }

    /** The current or next launch, from 0. */
    int launch() {
        return launch;
    }

    /** The clock before the launch. */
    VectorClock begin() {
        return begin;
    }

    /** Resets all blocks and semaphores. */
    void begin(VectorClock preceding) {
        begin = preceding;
        running = blocks.size();
        blocks.forEach(Block::restart);
        semaphores.forEach(Counter::reset);
    }

    /** Counts a block that has ended; whether it was the last one. */
    boolean blockEnded() {
        running--;
        return running == 0;
    }

    void nextLaunch() {
        launch++;
    }
}
