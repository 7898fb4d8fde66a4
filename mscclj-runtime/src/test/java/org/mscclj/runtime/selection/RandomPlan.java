package org.mscclj.runtime.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.PlanNeeds;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.spi.Feature;
import org.mscclj.spi.engine.SumForm;

/**
 * A plan of a shipped program under another name, as an application registers it: for some sizes and numbers of ranks a
 * node, with tags, and perhaps with reduce operations of its own.
 *
 * @param ranksPerNode the number of ranks a node that the application states; empty for any
 */
record RandomPlan(Plan plan, Optional<Integer> ranksPerNode, Map<String, Integer> tags) {
    /** The label by which selectors compare plans. */
    static final String TAG = "speed";

    private static final List<ReduceOp.Kind> FIXED =
            List.of(ReduceOp.Kind.SUM, ReduceOp.Kind.SUM, ReduceOp.Kind.MIN, ReduceOp.Kind.MAX);

    /**
     * Returns a plan, most often of a given collective and size of world, so that several plans can serve a call; empty
     * if there is none as drawn.
     */
    static Optional<RandomPlan> of(Random random, Collective collective, int ranks, int ranksPerNode) {
        boolean other = random.nextInt(4) == 0;
        List<ShippedProgram> programs = Stream.of(ShippedProgram.values())
                .filter(program -> other || program.collectives().contains(collective))
                .toList();
        ShippedProgram program = programs.get(random.nextInt(programs.size()));
        boolean same = random.nextInt(4) > 0;
        ProgramSpec spec = new ProgramSpec(
                other
                        ? List.copyOf(program.collectives())
                                .get(random.nextInt(program.collectives().size()))
                        : collective,
                same ? ranks : ranks + 1,
                same ? ranksPerNode : ranks + 1,
                0,
                random.nextBoolean(),
                1);
        if (program.refusal(spec).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new RandomPlan(
                sized(random, fixed(random, program.plan(spec))),
                switch (random.nextInt(4)) {
                    case 0 -> Optional.of(ranksPerNode);
                    case 1 -> Optional.of(1 + random.nextInt(ranks));
                    default -> Optional.empty();
                },
                random.nextInt(3) == 0 ? Map.of() : Map.of(TAG, random.nextInt(3))));
    }

    private static Plan sized(Random random, Plan plan) {
        long most = random.nextBoolean() ? Long.MAX_VALUE : 1L << random.nextInt(30);
        return new Plan(
                plan.name() + "_registered_" + random.nextLong(1L << 50),
                plan.collective(),
                plan.protocol(),
                plan.inPlace(),
                plan.reuseResources(),
                plan.threadsPerBlock(),
                plan.doubleScratch(),
                plan.bufferAlignment(),
                random.nextBoolean() ? 0 : Math.min(most, 1L << random.nextInt(30)),
                most,
                plan.ranks());
    }

    /** Returns a plan whose reductions fix one operation, or one each, or none. */
    private static Plan fixed(Random random, Plan plan) {
        Optional<ReduceOp.Kind> common = Optional.of(FIXED.get(random.nextInt(FIXED.size())));
        int form = random.nextInt(4);
        if (form > 1) {
            return plan;
        }
        List<RankPlan> ranks = new ArrayList<>();
        for (RankPlan rank : plan.ranks()) {
            List<ThreadBlock> blocks = new ArrayList<>();
            for (ThreadBlock block : rank.threadBlocks()) {
                blocks.add(
                        block.withOperations(fixed(random, block.operations(), form == 0 ? common : Optional.empty())));
            }
            ranks.add(rank.withThreadBlocks(blocks));
        }
        return new Plan(
                plan.name(),
                plan.collective(),
                plan.protocol(),
                plan.inPlace(),
                plan.reuseResources(),
                plan.threadsPerBlock(),
                plan.doubleScratch(),
                plan.bufferAlignment(),
                plan.minMessageSize(),
                plan.maxMessageSize(),
                ranks);
    }

    /**
     * Returns operations that fix a reduce operation.
     *
     * @param common what all fix; if empty, each draws, and some fix none
     */
    private static List<Operation> fixed(Random random, List<Operation> operations, Optional<ReduceOp.Kind> common) {
        return operations.stream()
                .map(operation -> switch (operation) {
                    case Operation.Data data
                    when data.kind().reduces() ->
                        new Operation.Data(
                                data.kind(),
                                data.channelType(),
                                data.channelIds(),
                                data.sources(),
                                data.destinations(),
                                data.share(),
                                common.or(() -> Optional.of(FIXED.get(random.nextInt(FIXED.size())))
                                        .filter(_ -> random.nextInt(8) == 0)),
                                data.plainPlace());
                    case Operation.Pipeline pipeline ->
                        new Operation.Pipeline(
                                pipeline.unitSize(), pipeline.chunks(), fixed(random, pipeline.operations(), common));
                    default -> operation;
                })
                .toList();
    }

    /** Returns what a registry makes of the plan. */
    PlanHandle handle() {
        return new PlanHandle(plan.name(), plan, ranksPerNode, tags);
    }

    /** Returns the reduce operations that the plan fixes. */
    Stream<ReduceOp.Kind> fixedOperations() {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .flatMap(operation -> operation instanceof Operation.Pipeline pipeline
                        ? pipeline.operations().stream()
                        : Stream.of(operation))
                .flatMap(operation ->
                        operation instanceof Operation.Data data ? data.reduceOp().stream() : Stream.empty());
    }

    /** Returns whether the plan can serve a call, by the words of the interfaces and not by the code of selection. */
    boolean fits(SelectionCase one) {
        CallDescriptor call = one.call();
        return isFor(one)
                && plan.inPlace() == call.inPlace()
                && call.root() == 0
                && call.messageBytes(one.ranks()) >= plan.minMessageSize()
                && call.messageBytes(one.ranks()) <= plan.maxMessageSize()
                && fitsOperation(call.op().kind())
                && one.takesNoNativeArguments()
                && one.capabilities().features().contains(Feature.PLANS)
                && fitsMemory(one);
    }

    private boolean isFor(SelectionCase one) {
        return plan.collective() == one.call().collective()
                && plan.worldSize() == one.ranks()
                && (ranksPerNode.isEmpty() || ranksPerNode.get() == one.shape().ranksPerNode());
    }

    /** Averages and premultiplied sums are sums of scaled contributions. */
    boolean fitsOperation(ReduceOp.Kind kind) {
        return switch (kind) {
            case NOP -> true;
            case SUM, AVG, PREMUL_SUM -> fixedOperations().allMatch(fixed -> fixed == ReduceOp.Kind.SUM);
            default -> fixedOperations().allMatch(fixed -> fixed == kind);
        };
    }

    /** Ranks map no memory of other nodes, and none where something is in the way; addends have memory of their own. */
    private boolean fitsMemory(SelectionCase one) {
        PlanNeeds needs = PlanNeeds.of(plan, one.nodes().ofRanks());
        return (one.registered() || SumForm.isFor(one.call().op().kind(), one.ranks()) || !needs.registeredBuffers())
                && (one.capabilities().features().contains(Feature.MULTICAST) || !needs.multicast())
                && one.obstacles().of(needs.mappedPeers()).isEmpty()
                && plan.ranks().stream().allMatch(rank -> staysOnNode(rank, one.nodes()));
    }

    private static boolean staysOnNode(RankPlan rank, Nodes nodes) {
        return Stream.concat(
                        rank.memoryChannelPeers().stream(),
                        rank.switchGroups().stream().map(SwitchGroup::ranks).flatMap(List::stream))
                .allMatch(peer -> nodes.share(rank.rank(), peer));
    }
}
