import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.mscclj.analysis.simulate.SimulationOptions;
import org.mscclj.analysis.simulate.Simulator;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.plan.Plan;

/**
 * Simulates an allreduce between nodes of eight GPUs by the shipped program of two levels, around rings through all
 * ranks, and over trees of nodes. Prints a row of a table for each number of nodes and each size, in microseconds.
 *
 * <pre>{@code ./mscclj java examples/two-level/CompareAllReduce.java 2,4 8K,1M}</pre>
 *
 * <p>Rings of many nodes have too many operations to be simulated. Their time is continued from two and four nodes, and
 * marked by {@code ~}, unless a third argument {@code simulated} asks for a simulation.
 */
public final class CompareAllReduce {
    private static final int PER_NODE = 8;

    /** Rings of more nodes are continued. */
    private static final int FEW_NODES = 4;

    private static final SimulationOptions WITHOUT_SPANS = SimulationOptions.DEFAULT.withoutSpans();

    /** Rings and trees have all scratch that they want, so that they take one round. */
    private static final SimulationOptions ONE_ROUND = WITHOUT_SPANS.withScratchLimit(1L << 50);

    /** Rings of few nodes, by numbers of nodes and rings. */
    private static final Map<List<Integer>, Plan> RINGS = new HashMap<>();

    private final int nodes;
    private final Topology topology;
    private final boolean simulated;

    private CompareAllReduce(int nodes, boolean simulated) {
        this.nodes = nodes;
        this.topology = Presets.find("h200x8-nodes:" + nodes).orElseThrow();
        this.simulated = simulated;
    }

    /**
     * The shape of rings and trees for a size. Others that were tried on two and four nodes are at most 8 % faster.
     *
     * @param rings number of rings, which is the number of thread blocks of a rank
     * @param blocks thread blocks of a rank in trees
     * @param pieces pieces of the part of a block in trees
     */
    private record Shape(int rings, int blocks, int pieces) {
        static Shape of(long bytes) {
            if (bytes <= 64 << 10) {
                return new Shape(1, 2, 1);
            }
            return bytes <= 4 << 20 ? new Shape(8, 8, 2) : new Shape(32, 32, 4);
        }
    }

    /** The program that communicators choose, with the scratch that they give it. */
    private double twoLevels(long bytes) {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, PER_NODE * nodes)
                .ranksPerNode(PER_NODE)
                .inPlace(true);
        ProgramChoice choice = DefaultPrograms.best(spec, true, bytes, topology.programPreference());
        SimulationOptions options =
                WITHOUT_SPANS.withScratchLimit(topology.programPreference().scratchLimit());
        return Simulator.simulate(choice.program().plan(choice.spec()), topology, bytes, options)
                .nanos();
    }

    private double tree(long bytes) {
        Shape shape = Shape.of(bytes);
        return inOneRound(
                TreeAllReduce.of(nodes, PER_NODE, shape.blocks(), shape.pieces()).compile(), bytes);
    }

    private double ring(long bytes) {
        Shape shape = Shape.of(bytes);
        return inOneRound(RingAllReduce.of(nodes, PER_NODE, shape.rings()).compile(), bytes);
    }

    private double inOneRound(Plan plan, long bytes) {
        return Simulator.simulate(plan, topology, bytes, ONE_ROUND).nanos();
    }

    private boolean continues() {
        return nodes > FEW_NODES && !simulated;
    }

    /**
     * The time of rings as a straight line through two and four nodes, with messages whose chunks have equal sizes: a
     * ring adds steps with the number of ranks, and all steps take equally long.
     */
    private double continuedRing(long bytes) {
        double two = new CompareAllReduce(2, true).ringOfEqualChunks(bytes, nodes);
        double four = new CompareAllReduce(4, true).ringOfEqualChunks(bytes, nodes);
        return two + (four - two) * (nodes - 2) / 2;
    }

    /** A message of this number of nodes whose chunks are those of a message of other nodes. */
    private double ringOfEqualChunks(long bytes, int otherNodes) {
        int rings = Shape.of(bytes).rings();
        Plan plan = RINGS.computeIfAbsent(
                List.of(nodes, rings), _ -> RingAllReduce.of(nodes, PER_NODE, rings).compile());
        return inOneRound(plan, Math.max(1, bytes * nodes / otherNodes));
    }

    private String row(String size) {
        long bytes = bytes(size);
        String ring = continues() ? "~" + micros(continuedRing(bytes)) : micros(ring(bytes));
        return "| " + nodes + " | " + size + " | " + micros(twoLevels(bytes)) + " | " + ring + " | "
                + micros(tree(bytes)) + " |";
    }

    private static String micros(double nanos) {
        final double thousand = 1000;
        double micros = nanos / thousand;
        return String.format(Locale.ROOT, micros < thousand ? "%.1f" : "%,.0f", micros);
    }

    private static long bytes(String size) {
        long number = Long.parseLong(size.substring(0, size.length() - 1));
        return number
                << switch (size.charAt(size.length() - 1)) {
                    case 'K' -> 10;
                    case 'M' -> 20;
                    case 'G' -> 30;
                    default -> throw new IllegalArgumentException("size " + size + "; allowed: as 8K, 1M or 1G");
                };
    }

    /** Proves the two programs of this example, for a few ranks. */
    private static void prove() {
        List<Plan> plans = new ArrayList<>();
        for (int few : List.of(2, 3, 5)) {
            plans.add(RingAllReduce.of(few, 2, 2).compile());
            plans.add(TreeAllReduce.of(few, 2, 2, 2).compile());
        }
        for (Plan plan : plans) {
            if (!Verifier.verify(plan).isProved()) {
                throw new IllegalStateException(
                        plan.label() + ": " + Verifier.verify(plan).findings());
            }
        }
        System.out.println("rings and trees are proved on 2, 3 and 5 nodes of 2");
    }

    /** The arguments are numbers of nodes, sizes, and perhaps {@code simulated}. */
    public static void main(String[] arguments) {
        prove();
        System.out.println("| nodes | bytes | two levels | ring | tree |");
        for (String nodes : arguments[0].split(",")) {
            CompareAllReduce compare = new CompareAllReduce(
                    Integer.parseInt(nodes), Stream.of(arguments).skip(2).anyMatch("simulated"::equals));
            Stream.of(arguments[1].split(",")).map(compare::row).forEach(System.out::println);
        }
    }
}
