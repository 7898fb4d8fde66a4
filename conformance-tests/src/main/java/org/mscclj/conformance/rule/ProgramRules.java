package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.RuleForms.ANY_RESULT;
import static org.mscclj.conformance.rule.RuleForms.with;
import static org.mscclj.conformance.rule.Scope.over;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.abort.AbortChecks;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.spi.Feature;

/**
 * A rule for each shipped program: if a call names the program, it serves every collective that it is for, over several
 * launches in a row.
 */
final class ProgramRules {
    private static final String EACH = "all";
    private static final String ONE_NODE = "it is for several nodes, and all ranks are on one";
    private static final List<Long> COUNTS = List.of(1L, 1025L);

    /** Between nodes these are 2 × 2, 3 × 2 and 2 × 4 ranks. */
    private static final List<Integer> WORLDS_OF_NODES = List.of(4, 6, 8);

    /** Collectives of which every rank waits for every other. */
    static final List<Collective> OF_ALL =
            List.of(Collective.ALLREDUCE, Collective.ALLGATHER, Collective.ALLTOALL, Collective.REDUCESCATTER);

    /** From this number of bytes on, programs have several thread blocks. */
    private static final long LARGE_BYTES = 1L << 20;

    private ProgramRules() {}

    static List<Rule> all() {
        List<String> after = with(
                "spec0607_launchesReadTheirInputAnew",
                "spec0101_everyCount",
                "spec0104_inPlace",
                "spec0106_unalignedBuffers",
                "spec0904_everyRoot");
        RankCheck check = ResultChecks.relaunches();
        return Stream.of(ShippedProgram.values())
                .map(program -> rule(program, after, check))
                .toList();
    }

    /**
     * Returns the ids of the rules about a program, or about a native algorithm.
     *
     * @param name its name; {@code all} for every program and every native algorithm
     * @throws InvalidArgumentException if there is none of that name; the message lists all
     */
    static List<String> idsOf(String name) {
        List<String> ids = Stream.concat(
                        Stream.of(ShippedProgram.values())
                                .filter(program -> name.equals(EACH) || name.equals(program.label()))
                                .map(ProgramRules::id),
                        NativeRules.names().stream()
                                .filter(own -> name.equals(EACH) || name.equals(own))
                                .map(NativeRules::id))
                .toList();
        if (ids.isEmpty()) {
            throw InvalidArgumentException.of(
                    "algorithm",
                    '"' + name + '"',
                    Stream.concat(
                                    Stream.of(ShippedProgram.values()).map(ShippedProgram::label),
                                    NativeRules.names().stream())
                            .collect(Collectors.joining(", ", "one of ", ", or " + EACH)));
        }
        return ids;
    }

    private static Rule rule(ShippedProgram program, List<String> after, RankCheck check) {
        Rule rule = Rule.required(
                        id(program),
                        "The shipped program " + program.label()
                                + ", named by a call, serves it and computes what the definition says.",
                        ANY_RESULT,
                        check,
                        (scope, id) -> cases(program, scope, id))
                .after(after);
        Rule placed = switch (program.mappedPeers()) {
            case ALL ->
                rule.notBetweenNodes("its ranks map each other's memory, which ranks of different nodes cannot");
            case SAME_NODE -> rule.notIn(Mode.THREADS, ONE_NODE).notIn(Mode.PROCESSES, ONE_NODE);
            case NONE -> rule;
        };
        return program.usesSwitch() ? placed.ifDeclared(Feature.MULTICAST) : placed;
    }

    /** Returns the rule that an abort ends the waits of every program: for packets, lines, signals and ports. */
    static Rule aborts() {
        return Rule.required(
                        "spec0704_abortEndsPrograms",
                        "An abort ends a launch of every shipped program; later calls are refused.",
                        ANY_RESULT,
                        AbortChecks.abort(),
                        (scope, id) -> ended(scope)
                                .filter(program -> !program.usesSwitch()
                                        || scope.capabilities().features().contains(Feature.MULTICAST))
                                .flatMap(program -> aborted(program, scope.usual(id)).stream())
                                .filter(test ->
                                        test.world() <= scope.capabilities().maxRanks())
                                .toList())
                .ifDeclared(Feature.ABORT)
                .after(List.of("spec0704_abortEndsEverything"))
                .spoiling();
    }

    /** Every program; but in quick depth one that waits for lines, where each case starts processes anew. */
    private static Stream<ShippedProgram> ended(Scope scope) {
        return scope.depth() == Depth.QUICK && scope.mode().isOfProcesses()
                ? Stream.of(ShippedProgram.PACKETS_LL128)
                : Stream.of(ShippedProgram.values());
    }

    /** Returns a call of a program in which every rank waits for every other; none if the mode has no such call. */
    private static Optional<TestCase> aborted(ShippedProgram program, TestCase usual) {
        boolean ofNodes = program.mappedPeers() == MappedPeers.SAME_NODE;
        if (usual.mode().isOfNodes() ? program.mappedPeers() == MappedPeers.ALL : ofNodes) {
            return Optional.empty();
        }
        TestCase named = usual.program(program.label()).world(ofNodes ? WORLDS_OF_NODES.getFirst() : usual.world());
        return OF_ALL.stream()
                .filter(program.collectives()::contains)
                .map(named::collective)
                .filter(test -> program.refusal(spec(test)).isEmpty())
                .findFirst();
    }

    /** Returns the id of a program's rule, for example {@code spec0806_packetsTwoShotByName}. */
    private static String id(ShippedProgram program) {
        return RuleForms.idByName("spec0806_", program.label());
    }

    private static List<TestCase> cases(ShippedProgram program, Scope scope, String rule) {
        TestCase usual = scope.usual(rule).program(program.label());
        List<UnaryOperator<TestCase>> worlds = over(worlds(program, scope), TestCase::world);
        List<UnaryOperator<TestCase>> places = over(List.of(false, true), TestCase::inPlace);
        List<Collective> collectives = Scope.COLLECTIVES.stream()
                .filter(program.collectives()::contains)
                .toList();
        List<UnaryOperator<TestCase>> what = over(collectives, TestCase::collective);
        List<TestCase> cases =
                new ArrayList<>(scope.combine(usual, worlds, what, places, over(COUNTS, TestCase::count)));
        int maxRanks = scope.capabilities().maxRanks();
        if (scope.depth() != Depth.QUICK && maxRanks > 1) {
            int world = Math.min(program.mappedPeers() == MappedPeers.SAME_NODE ? 4 : 2, maxRanks);
            cases.addAll(scope.combine(usual.world(world), what, over(List.of(LARGE_BYTES), ProgramRules::large)));
        }
        return cases.stream()
                .filter(test -> program.refusal(spec(test)).isEmpty())
                .map(test -> test.collective().hasRoot() ? test.root(test.world() - 1) : test)
                .toList();
    }

    /**
     * Returns the numbers of ranks: the given ones, or else a few small ones. Programs of two levels also need nodes
     * with several ranks: two nodes, and more.
     */
    private static List<Integer> worlds(ShippedProgram program, Scope scope) {
        if (!scope.given().isEmpty()) {
            return scope.worlds().stream().filter(world -> world > 1).toList();
        }
        List<Integer> withinNodes = program.mappedPeers() == MappedPeers.SAME_NODE ? WORLDS_OF_NODES : List.of();
        return Stream.concat(scope.worlds().stream().filter(world -> world > 1 && world <= 5), withinNodes.stream())
                .filter(world -> world <= scope.capabilities().maxRanks())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the specification by which a communicator requests the program. */
    private static ProgramSpec spec(TestCase test) {
        return ProgramSpec.of(test.collective(), test.world())
                .ranksPerNode(test.mode().ranksPerNode(test.world()))
                .inPlace(test.inPlace());
    }

    /** Returns the case with a buffer of more than this number of bytes. */
    private static TestCase large(TestCase test, long bytes) {
        int slices = test.collective() == Collective.ALLGATHER
                ? test.collective().outputSlices(test.world())
                : test.collective().inputSlices(test.world());
        return test.count(bytes / test.type().byteSize() / slices + 1);
    }
}
