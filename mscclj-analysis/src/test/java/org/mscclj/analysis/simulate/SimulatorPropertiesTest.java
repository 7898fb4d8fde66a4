package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.analysis.simulate.timeline.Timeline;
import org.mscclj.analysis.simulate.topology.Costs;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.simulate.topology.Rails;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/** Properties of every shipped program, size and machine. */
class SimulatorPropertiesTest {
    private static final List<String> TOPOLOGIES = List.of("h200x4", "h200x8", "mi250x8", "mi300x8", "mi355x8", "host");
    private static final int MAX_RANKS = 4;

    /** The clock's grid, over some hundred consecutive events. */
    private static final double ROUNDING = 1;

    private static final double GRID = 0.01;

    private static Plan plan(ShippedProgram program, int ranks, int blocks) {
        Collective collective = Stream.of(Collective.ALLREDUCE, Collective.ALLGATHER, Collective.BROADCAST)
                .filter(program.collectives()::contains)
                .findFirst()
                .orElseThrow();
        return program.plan(ProgramSpec.of(collective, ranks)
                .ranksPerNode(isForNodes(program) ? 1 : ranks)
                .inPlace(true)
                .blocks(blocks));
    }

    private static boolean isForNodes(ShippedProgram program) {
        return program == ShippedProgram.TWO_LEVEL;
    }

    private static Topology topology(ShippedProgram program, int number) {
        return isForNodes(program)
                ? Presets.find("h200x8-nodes:" + MAX_RANKS).orElseThrow().withRanksPerNode(1)
                : Presets.find(TOPOLOGIES.get(number)).orElseThrow();
    }

    private static double nanos(Plan plan, Topology topology, long bytes) {
        return Simulator.simulate(plan, topology, bytes, SimulationOptions.DEFAULT.withoutSpans())
                .nanos();
    }

    @Property(tries = 60)
    void fasterMachinesTakeNoLonger(
            @ForAll ShippedProgram program,
            @ForAll @IntRange(min = 2, max = MAX_RANKS) int ranks,
            @ForAll @IntRange(min = 1, max = 3) int blocks,
            @ForAll @IntRange(max = 3) int machine,
            @ForAll @LongRange(min = 0, max = 1 << 22) long bytes,
            @ForAll @DoubleRange(min = 1, max = 8) double factor) {
        Plan plan = plan(program, ranks, blocks);
        Topology topology = topology(program, machine);
        double plain = nanos(plan, topology, bytes);
        assertTrue(nanos(plan, topology.scaled(1, 1, factor, factor), bytes) <= plain + ROUNDING, "bandwidth");
        assertTrue(nanos(plan, topology.scaled(1, factor, 1, 1), bytes) >= plain - ROUNDING, "latency");
    }

    @Property(tries = 60)
    void spansAreInOrderAndDoNotChangeTimes(
            @ForAll ShippedProgram program,
            @ForAll @IntRange(min = 2, max = MAX_RANKS) int ranks,
            @ForAll @IntRange(min = 1, max = 3) int blocks,
            @ForAll @IntRange(max = 3) int machine,
            @ForAll @LongRange(min = 1, max = 1 << 20) long bytes) {
        Plan plan = plan(program, ranks, blocks);
        Prediction prediction = Simulator.simulate(plan, topology(program, machine), bytes, SimulationOptions.DEFAULT);
        assertEquals(
                prediction, Simulator.simulate(plan, topology(program, machine), bytes, SimulationOptions.DEFAULT));
        assertEquals(prediction.nanos(), nanos(plan, topology(program, machine), bytes));
        Timeline timeline = prediction.round();
        List<Span> spans = timeline.spans();
        for (Dependency dependency : timeline.dependencies()) {
            Span from = spans.get(dependency.from());
            Span to = spans.get(dependency.to());
            boolean handedOver = dependency.kind() == Dependency.Kind.PROXY && to.byProxy();
            assertTrue(from.end() <= (handedOver ? to.start() : to.ready()), () -> from + " → " + to);
        }
        for (int i = 1; i < spans.size(); i++) {
            Span before = spans.get(i - 1);
            Span next = spans.get(i);
            boolean oneBlock = !before.byProxy()
                    && !next.byProxy()
                    && before.address().rank() == next.address().rank()
                    && before.address().block() == next.address().block();
            assertTrue(!oneBlock || before.end() <= next.start(), () -> before + " overlaps " + next);
        }
        checkPath(timeline, topology(program, machine));
    }

    /**
     * Each step continues when the step before has ended and its data has arrived, and nothing else takes time between
     * them.
     */
    private static void checkPath(Timeline timeline, Topology topology) {
        Costs costs = topology.costs();
        double latency = topology.fabric().latency();
        double rails = topology.rails().map(Rails::latency).orElse(latency);
        double[] ways = {
            latency, // a store, a signal, or packets
            rails,
            2 * latency, // an acknowledgement
            2 * rails,
            costs.trigger(), // a proxy sees the request of a block
            costs.operation() + costs.trigger()
        };
        List<Integer> path = timeline.criticalPath();
        assertFalse(path.isEmpty());
        Span last = timeline.spans().get(path.getLast());
        assertTrue(last.byProxy() ? last.end() <= timeline.nanos() : last.end() == timeline.nanos(), last::toString);
        for (int i = 1; i < path.size(); i++) {
            Span before = timeline.spans().get(path.get(i - 1));
            Span next = timeline.spans().get(path.get(i));
            assertTrue(before.end() <= next.end(), () -> before + " is after " + next);
            double gap = next.ready() - before.end();
            assertTrue(
                    gap <= 0 || Arrays.stream(ways).anyMatch(way -> Math.abs(way - gap) < GRID),
                    () -> gap + " ns between " + before + " and " + next);
        }
    }
}
