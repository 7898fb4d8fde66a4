package org.mscclj.analysis.simulate;

import java.util.Optional;
import org.mscclj.analysis.simulate.topology.BlockRates;
import org.mscclj.analysis.simulate.topology.Costs;
import org.mscclj.analysis.simulate.topology.Fabric;
import org.mscclj.analysis.simulate.topology.FusedCosts;
import org.mscclj.analysis.simulate.topology.OrderCosts;
import org.mscclj.analysis.simulate.topology.Rails;
import org.mscclj.analysis.simulate.topology.Topology;

/** Machines with round numbers. */
final class TestTopologies {
    /** From the launch until the first operation of a block that is not fused; {@link #BEGIN} is a part of it. */
    static final double LAUNCH = 1000;

    static final double BEGIN = 200;
    static final double FUSED_BEGIN = 350;
    static final double FUSED_REACTION = 90;
    static final double FUSED_LINES = 25;
    static final double OPERATION = 100;
    static final double SIGNAL = 40;
    static final double RELAXED_SIGNAL = 20;
    static final double WAIT = 10;
    static final double NOP = 5;
    static final double BARRIER = 80;
    static final double SEMAPHORE = 30;
    static final double TRIGGER = 600;
    static final double POST = 200;
    static final double LATENCY = 700;
    static final double READ_LATENCY = 1300;
    static final double LINK = 64;
    static final double RAIL = 16;
    static final double RAIL_LATENCY = 3000;

    /** Bandwidth so large that it is never the bottleneck. */
    static final double PLENTY = 1e6;

    private TestTopologies() {}

    /** Nodes in which blocks are faster than links. */
    static Topology linkBound(int nodes, int ranksPerNode) {
        return of(nodes, ranksPerNode, new BlockRates(PLENTY, PLENTY, PLENTY));
    }

    static Topology of(int nodes, int ranksPerNode, BlockRates rates) {
        return new Topology(
                "test",
                nodes,
                ranksPerNode,
                new Fabric.Switch(LINK, PLENTY, LATENCY, READ_LATENCY, 0, true),
                nodes == 1 ? Optional.empty() : Optional.of(new Rails(RAIL, RAIL_LATENCY)),
                new Costs(
                        LAUNCH - BEGIN,
                        BEGIN,
                        OPERATION,
                        new OrderCosts(SIGNAL, RELAXED_SIGNAL, WAIT, NOP, BARRIER, SEMAPHORE),
                        TRIGGER,
                        POST,
                        rates,
                        Optional.empty()));
    }

    /** Two ranks of a node, whose links are slower than blocks, and on which blocks are fused. */
    static Topology fusing() {
        Topology plain = linkBound(1, 2);
        Costs costs = plain.costs();
        return new Topology(
                "test",
                1,
                2,
                plain.fabric(),
                Optional.empty(),
                new Costs(
                        costs.launch(),
                        costs.begin(),
                        costs.operation(),
                        costs.order(),
                        costs.trigger(),
                        costs.post(),
                        costs.rates(),
                        Optional.of(new FusedCosts(FUSED_BEGIN, FUSED_REACTION, FUSED_LINES))));
    }

    /** Two ranks of a node, whose loads send bytes towards their peer. */
    static Topology withRequests(double readRequest) {
        Topology plain = linkBound(1, 2);
        return new Topology(
                "test",
                1,
                2,
                new Fabric.Switch(LINK, PLENTY, LATENCY, READ_LATENCY, readRequest, true),
                Optional.empty(),
                plain.costs());
    }
}
