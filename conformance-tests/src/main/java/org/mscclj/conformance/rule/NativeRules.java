package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.RuleForms.ANY_RESULT;
import static org.mscclj.conformance.rule.RuleForms.with;
import static org.mscclj.conformance.rule.Scope.over;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.rank.abort.AbortChecks;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Feature;
import org.mscclj.spi.NativeAlgorithms;

/**
 * A rule for each native algorithm that the service loader finds: if a call names the algorithm, it serves every call
 * that it does not refuse, over several launches in a row.
 */
final class NativeRules {
    private static final System.Logger LOGGER = System.getLogger(NativeRules.class.getName());
    private static final String ONE_NODE = "a native algorithm need not reach ranks on other nodes";
    private static final List<Integer> WORLDS = List.of(1, 2, 3, 4, 5);
    private static final List<Long> COUNTS = List.of(0L, 1L, 3L, 1025L);
    private static final List<Long> LARGE_COUNTS = List.of(65_535L, (1L << 20) + 1);

    private NativeRules() {}

    /** Returns the rules about the algorithms that are found, in the order of names. */
    static List<Rule> all() {
        return found().stream().map(NativeRules::rule).toList();
    }

    /** Returns the names of the algorithms that are found. */
    static List<String> names() {
        return found().stream().map(NativeAlgorithm::name).toList();
    }

    /** Returns the id of an algorithm's rule, for example {@code spec0811_copiesAllgatherByName}. */
    static String id(String name) {
        return RuleForms.idByName("spec0811_", name);
    }

    /** Communicators do without those that cannot be created, and log that. */
    private static List<NativeAlgorithm<?>> found() {
        return NativeAlgorithms.create(
                (type, failure) -> LOGGER.log(Level.WARNING, "there is no rule about " + type, failure));
    }

    /** Returns the rule about an algorithm. */
    static Rule rule(NativeAlgorithm<?> algorithm) {
        return Rule.required(
                        id(algorithm.name()),
                        "The native algorithm " + algorithm.name()
                                + ", named by a call that it does not refuse, serves it and computes what the"
                                + " definition says.",
                        ANY_RESULT,
                        ResultChecks.relaunches(),
                        (scope, id) -> cases(algorithm, scope, id))
                .ifDeclared(Feature.DEVICE_CHANNELS)
                .after(with(
                        "spec0607_launchesReadTheirInputAnew",
                        "spec0101_everyCount",
                        "spec0104_inPlace",
                        "spec0106_unalignedBuffers",
                        "spec0904_everyRoot"))
                .notBetweenNodes(ONE_NODE);
    }

    /** Returns the rule that an abort ends the waits of the algorithms that are found. */
    static List<Rule> aborts() {
        return aborts(found());
    }

    /**
     * Returns the rule that an abort ends the waits of those algorithms of which every rank waits for every other; none
     * if there is no such algorithm.
     */
    static List<Rule> aborts(List<NativeAlgorithm<?>> algorithms) {
        List<NativeAlgorithm<?>> waiting = algorithms.stream()
                .filter(one -> ProgramRules.OF_ALL.contains(one.collective()))
                .toList();
        return waiting.isEmpty()
                ? List.of()
                : List.of(Rule.required(
                                "spec0704_abortEndsNatives",
                                "An abort ends a launch of every native algorithm; later calls are refused.",
                                ANY_RESULT,
                                AbortChecks.abort(),
                                (scope, id) -> waiting.stream()
                                        .map(one -> scope.usual(id)
                                                .program(one.name())
                                                .collective(one.collective()))
                                        .toList())
                        .ifDeclared(Feature.DEVICE_CHANNELS)
                        .notBetweenNodes(ONE_NODE)
                        .after(List.of("spec0704_abortEndsEverything"))
                        .spoiling());
    }

    private static List<TestCase> cases(NativeAlgorithm<?> algorithm, Scope scope, String rule) {
        Collective collective = algorithm.collective();
        TestCase usual = scope.usual(rule).program(algorithm.name()).collective(collective);
        List<Integer> worlds = scope.given().isEmpty()
                ? WORLDS.stream()
                        .filter(world -> world <= scope.capabilities().maxRanks())
                        .toList()
                : scope.worlds();
        List<Long> counts = scope.depth() == Depth.QUICK
                ? COUNTS
                : Stream.concat(COUNTS.stream(), LARGE_COUNTS.stream()).toList();
        return scope
                .combine(
                        usual,
                        over(worlds, TestCase::world),
                        over(List.of(false, true), TestCase::inPlace),
                        over(counts, TestCase::count),
                        over(scope.types(), TestCase::type),
                        over(List.of(0, 1), TestCase::offset),
                        roots(collective))
                .stream()
                .filter(test -> algorithm.refusal(shape(test)).isEmpty())
                .toList();
    }

    /** Returns a dimension of the grid: the first and the last rank. */
    private static List<UnaryOperator<TestCase>> roots(Collective collective) {
        return collective.hasRoot()
                ? List.of(test -> test.root(0), test -> test.root(test.world() - 1))
                : List.of(test -> test);
    }

    private static CallShape shape(TestCase test) {
        boolean ofOutput = test.collective() == Collective.ALLGATHER;
        return new CallShape(
                test.collective(),
                test.type(),
                test.op(),
                test.root(),
                test.inPlace() && test.count() > 0,
                test.registered() && test.count() > 0,
                test.world(),
                test.mode().ranksPerNode(test.world()),
                ofOutput ? test.outputBytes() : test.inputBytes());
    }
}
