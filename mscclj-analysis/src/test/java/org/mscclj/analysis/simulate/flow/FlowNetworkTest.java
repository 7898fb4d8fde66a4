package org.mscclj.analysis.simulate.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.simulate.topology.Link;

/** Links are shared max-min fairly. */
class FlowNetworkTest {
    private static final double GRID = 0.01;

    private final Clock clock = new Clock();
    private final List<Link> links = List.of(new Link("a", 10), new Link("b", 4), new Link("c", 100));
    private final FlowNetwork network = new FlowNetwork(clock, links);
    private final List<Double> ends = new ArrayList<>();

    private void start(double at, double bytes, double cap, int... used) {
        LinkUsage usage = new LinkUsage();
        for (int link : used) {
            usage.add(link, 1);
        }
        int number = ends.size();
        ends.add(0.0);
        clock.at(at, () -> network.start(bytes, cap, usage, () -> ends.set(number, clock.now())));
    }

    private void run() {
        clock.run(network::settle);
    }

    @Test
    void unusedShareGoesToOtherFlows() {
        start(0, 400, Double.POSITIVE_INFINITY, 0, 1); // limited to 4 by b
        start(0, 600, Double.POSITIVE_INFINITY, 0); // gets the remaining 6 of a
        run();
        assertEquals(100, ends.get(0), GRID);
        assertEquals(100, ends.get(1), GRID);
    }

    @Test
    void cappedFlowLeavesTheRemainder() {
        start(0, 100, 1, 0);
        start(0, 900, Double.POSITIVE_INFINITY, 0);
        run();
        assertEquals(100, ends.get(0), GRID);
        assertEquals(100, ends.get(1), GRID);
    }

    @Test
    void remainingFlowSpeedsUp() {
        start(0, 50, Double.POSITIVE_INFINITY, 0); // 5 each, until 10
        start(0, 150, Double.POSITIVE_INFINITY, 0); // then 10
        run();
        assertEquals(10, ends.get(0), GRID);
        assertEquals(20, ends.get(1), GRID);
        assertEquals(200, network.bytes(0), GRID);
        assertEquals(20, network.busy(0), GRID);
    }

    @Test
    void laterFlowGetsItsShare() {
        start(0, 100, Double.POSITIVE_INFINITY, 0); // 50 until 5, then 5 each
        start(5, 50, Double.POSITIVE_INFINITY, 0);
        run();
        assertEquals(15, ends.get(0), GRID);
        assertEquals(15, ends.get(1), GRID);
    }

    @Test
    void emptyFlowTakesNoTime() {
        start(3, 0, Double.POSITIVE_INFINITY, 0);
        run();
        assertEquals(3, ends.get(0));
    }

    /** Each new flow changes the ends of all others, and cancels the ends scheduled before. */
    @Test
    void everyFlowHasOneEnd() {
        int flows = 300;
        for (int i = 0; i < flows; i++) {
            start(i, 100_000, Double.POSITIVE_INFINITY, 0);
        }
        clock.at(flows, () -> assertEquals(flows, clock.size()));
        run();
        assertEquals(flows * 100_000 / 10.0, ends.getLast(), flows * GRID);
        assertEquals(flows * 100_000.0, network.bytes(0), GRID);
    }

    /** No link exceeds its capacity, and a link that is a bottleneck is fully used. */
    @Property(tries = 100)
    void aSharedLinkIsNeverIdle(@ForAll long seed) {
        FlowNetworkTest fresh = new FlowNetworkTest();
        Random random = new Random(seed);
        double sum = 0;
        for (int i = 0; i < 20; i++) {
            double bytes = 1.0 + random.nextInt(1000);
            sum += bytes;
            fresh.start(0, bytes, Double.POSITIVE_INFINITY, 0, 2);
        }
        fresh.run();
        double last = fresh.ends.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        assertEquals(sum / 10, last, GRID, "seed " + seed);
        assertEquals(sum / 10, fresh.network.busy(0), GRID, "seed " + seed);
    }
}
