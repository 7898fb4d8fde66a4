package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.Scope.over;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rank.Checks;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.scenario.DataShape;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Feature;

/**
 * The rules of backends, in the order in which they are checked: what comes first is what later rules take for granted. Each is
 * scoped so that one defect breaks one rule.
 */
public final class Rules {
    /** One check for all rules about a single result, so that a case which several of them share runs once. */
    private static final RankCheck RESULT = Checks.result();

    /** Any way in which a call of a new shape can go wrong, when the same call of the usual shape is known to work. */
    private static final Set<FindingKind> ANY_RESULT = EnumSet.of(
            FindingKind.WRONG,
            FindingKind.MISSING,
            FindingKind.MISPLACED,
            FindingKind.OTHER_OPERATION,
            FindingKind.OUTSIDE,
            FindingKind.INPUT_CHANGED,
            FindingKind.LATE,
            FindingKind.TIMED_OUT,
            FindingKind.HUNG,
            FindingKind.REJECTED,
            FindingKind.ERROR,
            FindingKind.ABORTED,
            FindingKind.BEHAVIOUR);

    private static final List<String> BASICS = List.of(
            "spec0605_launchesEnd",
            "spec0603_joinedMeansDone",
            "spec0902_everyElementIsWritten",
            "spec0903_everyElementIsInItsPlace",
            "spec0901_resultsAreRight");

    /** What calls of the usual shape are known to keep, for rules about other ones. */
    private static final List<String> SOUND = Stream.concat(
                    BASICS.stream(), Stream.of("spec0104_inputsAreNotChanged", "spec0105_nothingElseIsWritten"))
            .toList();

    /** Graphs that replay at all, as rules about how they do presuppose. */
    private static final List<String> REPLAYED = List.of("spec0608_graphsAreReplayedBetweenLaunches");

    private static final List<ReduceOp> PLAIN_OPS = List.of(
            ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR);
    private static final List<ReduceOp> SCALED_OPS = List.of(ReduceOp.AVG, ReduceOp.premulSum(2));
    private static final List<ReduceOp> ALL_OPS =
            Stream.concat(PLAIN_OPS.stream(), SCALED_OPS.stream()).toList();

    private static final List<UnaryOperator<TestCase>> PLACES = over(List.of(false, true), TestCase::inPlace);
    private static final List<UnaryOperator<TestCase>> REDUCING =
            over(List.of(Collective.ALLREDUCE, Collective.REDUCESCATTER, Collective.REDUCE), TestCase::collective);
    private static final List<UnaryOperator<TestCase>> COUNTS_OF_A_RANK =
            over(List.of(64L, 1024L), (test, count) -> test.count(count * test.world()));

    private static final List<Rule> ALL = Stream.of(
                    basics(),
                    shapes(),
                    types(),
                    order(),
                    programs(),
                    failures(),
                    features(),
                    messages(),
                    windows(),
                    faults(),
                    untested())
            .flatMap(List::stream)
            .toList();

    private Rules() {}

    /** All rules, in order. */
    public static List<Rule> all() {
        return ALL;
    }

    /**
     * The rule of an id.
     *
     * @throws InvalidArgumentException if there is none; the message lists the ids
     */
    public static Rule find(String id) {
        return ALL.stream()
                .filter(rule -> rule.id().equals(id))
                .findFirst()
                .orElseThrow(() -> InvalidArgumentException.of(
                        "rule", id, "one of " + ALL.stream().map(Rule::id).toList()));
    }

    /**
     * The rules about shipped programs that calls name.
     *
     * @param algorithms names of programs; {@code all} is each of them
     * @throws InvalidArgumentException if there is no such program; the message lists them
     */
    public static List<Rule> ofAlgorithms(List<String> algorithms) {
        return algorithms.stream()
                .flatMap(name -> ProgramRules.idsOf(name).stream())
                .distinct()
                .map(Rules::find)
                .toList();
    }

    /** The rules about results, whose cases can also be tried with launches that are replays of graphs. */
    public static List<Rule> ofReplays() {
        return ALL.stream().filter(rule -> rule.check().canReplay()).toList();
    }

    /** The rules about faults that are made on purpose: ranks that differ, come late, abort, or are gone. */
    public static List<Rule> ofFaults() {
        Set<String> ids = faults().stream().map(Rule::id).collect(Collectors.toSet());
        return ALL.stream().filter(rule -> ids.contains(rule.id())).toList();
    }

    private static List<Rule> basics() {
        return List.of(
                Rule.required(
                        "spec0605_launchesEnd",
                        "A launch that all ranks have made ends.",
                        EnumSet.of(FindingKind.TIMED_OUT, FindingKind.HUNG),
                        RESULT,
                        Rules::usualCases),
                Rule.required(
                                "spec0603_joinedMeansDone",
                                "When an operation has been joined its output does not change any more.",
                                EnumSet.of(FindingKind.LATE),
                                RESULT,
                                Rules::usualCases)
                        .after(BASICS.subList(0, 1)),
                Rule.required(
                                "spec0902_everyElementIsWritten",
                                "Every element of an output is written.",
                                EnumSet.of(FindingKind.MISSING),
                                RESULT,
                                Rules::usualCases)
                        .after(BASICS.subList(0, 2)),
                Rule.required(
                                "spec0903_everyElementIsInItsPlace",
                                "Every element of an output comes from its position.",
                                EnumSet.of(FindingKind.MISPLACED),
                                RESULT,
                                Rules::usualCases)
                        .after(BASICS.subList(0, 2)),
                Rule.required(
                                "spec0901_resultsAreRight",
                                "Every collective computes what its definition says.",
                                EnumSet.of(
                                        FindingKind.WRONG,
                                        FindingKind.ERROR,
                                        FindingKind.REJECTED,
                                        FindingKind.ABORTED),
                                RESULT,
                                Rules::usualCases)
                        .after(BASICS.subList(0, 4)),
                Rule.required(
                                "spec0104_inputsAreNotChanged",
                                "Out of place, the input is left unchanged.",
                                EnumSet.of(FindingKind.INPUT_CHANGED),
                                RESULT,
                                Rules::usualAndOddCases)
                        .after(BASICS.subList(0, 2)),
                Rule.required(
                                "spec0105_nothingElseIsWritten",
                                "Nothing beside input and output is ever written.",
                                EnumSet.of(FindingKind.OUTSIDE),
                                RESULT,
                                Rules::usualAndOddCases)
                        .after(BASICS.subList(0, 2)));
    }

    private static List<Rule> shapes() {
        return List.of(
                shape(
                        "spec0101_everyCount",
                        "Every count is legal.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(
                                        scope.worlds().stream()
                                                .filter(world -> world <= 5
                                                        || scope.depth() == Depth.FULL
                                                        || !scope.given().isEmpty())
                                                .toList(),
                                        TestCase::world),
                                over(IntStream.range(0, 11).boxed().toList(), (test, i) -> {
                                    List<Long> counts = scope.counts(test.world());
                                    return test.count(counts.get(Math.min(i, counts.size() - 1)));
                                }),
                                over(
                                        Stream.of(scope.usualType(), DataType.UINT8, DataType.FLOAT16, DataType.INT64)
                                                .filter(scope.types()::contains)
                                                .distinct()
                                                .toList(),
                                        TestCase::type))),
                shape(
                        "spec0101_everyNumberOfRanks",
                        "Every number of ranks is legal.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(scope.worlds(), TestCase::world),
                                COUNTS_OF_A_RANK)),
                shape(
                        "spec0104_inPlace",
                        "In place works as out of place does.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule).inPlace(true),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(scope.worlds(), TestCase::world),
                                COUNTS_OF_A_RANK)),
                shape(
                        "spec0106_unalignedBuffers",
                        "Buffers may begin at any multiple of the size of an element.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(List.of(1, 3, 7), TestCase::offset),
                                over(
                                        Stream.of(scope.usualType(), DataType.UINT8)
                                                .filter(scope.types()::contains)
                                                .toList(),
                                        TestCase::type),
                                PLACES)),
                shape(
                        "spec0107_plainBuffers",
                        "Buffers need not come from the communicator.",
                        (scope, rule) -> scope.combine(
                                scope.usual(rule).registered(false),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(smallWorlds(scope), TestCase::world),
                                PLACES)),
                shape("spec0904_everyRoot", "Every rank can be the root.", (scope, rule) -> {
                    int world = Math.min(5, scope.capabilities().maxRanks());
                    return scope.combine(
                            scope.usual(rule).world(world),
                            over(
                                    Scope.COLLECTIVES.stream()
                                            .filter(Collective::hasRoot)
                                            .toList(),
                                    TestCase::collective),
                            over(IntStream.range(0, world).boxed().toList(), TestCase::root),
                            PLACES);
                }));
    }

    private static List<Rule> types() {
        List<String> afterOps = with("spec0307_neverAnotherOperation");
        return List.of(
                Rule.required(
                                "spec1101_declaredTypesAndOperationsWork",
                                "What a backend declares it can do.",
                                EnumSet.of(FindingKind.UNSUPPORTED, FindingKind.REJECTED),
                                RESULT,
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule), over(scope.types(), TestCase::type), ops(scope, ALL_OPS)))
                        .after(SOUND),
                Rule.required(
                                "spec1102_undeclaredIsRefused",
                                "What a backend can do it declares: a warning if not.",
                                EnumSet.of(FindingKind.HUNG, FindingKind.TIMED_OUT),
                                RESULT,
                                Rules::undeclaredCases)
                        .ofTheUndeclared()
                        .after(SOUND),
                Rule.required(
                                "spec0307_neverAnotherOperation",
                                "Nothing is computed with another operation than the one asked for.",
                                EnumSet.of(FindingKind.OTHER_OPERATION),
                                RESULT,
                                (scope, rule) -> scope.combine(scope.usual(rule), ops(scope, PLAIN_OPS), REDUCING))
                        .after(SOUND),
                shape(
                                "spec0301_everyTypeAndOperation",
                                "Every operation works on every type on which it is defined.",
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule),
                                        over(scope.types(), TestCase::type),
                                        ops(scope, PLAIN_OPS),
                                        over(worldsWithPeers(scope), TestCase::world),
                                        REDUCING))
                        .after(afterOps),
                shape(
                                "spec0302_integersWrapAndUnsignedIsUnsigned",
                                "Integer arithmetic wraps; unsigned types compare and divide as unsigned.",
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule).data(DataShape.WIDE),
                                        over(
                                                scope.types().stream()
                                                        .filter(type -> !type.isFloat())
                                                        .toList(),
                                                TestCase::type),
                                        ops(
                                                scope,
                                                List.of(
                                                        ReduceOp.MIN,
                                                        ReduceOp.MAX,
                                                        ReduceOp.SUM,
                                                        ReduceOp.PRODUCT,
                                                        ReduceOp.AVG))))
                        .after(afterOps),
                shape(
                                "spec0303_narrowFloatsAreRoundedOnce",
                                "float16, bfloat16 and fp8 are computed in float32 and rounded once, to nearest even.",
                                (scope, rule) -> narrow(scope, rule, DataShape.ROUNDED))
                        .after(afterOps),
                shape(
                                "spec0304_overflowSaturatesOrIsInfinite",
                                "Conversion to fp8 saturates; wider types overflow to infinity.",
                                (scope, rule) -> narrow(scope, rule, DataShape.OVERFLOWING))
                        .after(afterOps),
                shape(
                                "spec0305_extremaOfNanAndZeros",
                                "min and max give NaN if any contribution is NaN, and −0 is less than +0.",
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule).data(DataShape.SPECIAL),
                                        floats(scope),
                                        ops(scope, List.of(ReduceOp.MIN, ReduceOp.MAX))))
                        .after(afterOps),
                shape(
                                "spec0306_averagesAndPremultipliedSums",
                                "avg and premul-sum scale the stored sum once.",
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule),
                                        over(scope.types(), TestCase::type),
                                        ops(scope, SCALED_OPS),
                                        REDUCING))
                        .after(afterOps),
                Rule.required(
                                "spec0309_equalBitsOnAllRanks",
                                "After an allreduce all ranks hold the same bits.",
                                with(FindingKind.UNEQUAL),
                                RESULT,
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule).data(DataShape.INEXACT),
                                        floats(scope),
                                        over(worldsWithPeers(scope), TestCase::world),
                                        over(List.of(1024L, 20_000L), TestCase::count)))
                        .after(SOUND),
                Rule.required(
                                "spec0309_sameBitsAgain",
                                "The same call on the same data gives the same bits again.",
                                with(FindingKind.UNREPEATED),
                                Checks.sameBits(),
                                (scope, rule) ->
                                        List.of(scope.usual(rule).count(1024).data(DataShape.INEXACT)))
                        .after(SOUND));
    }

    private static List<Rule> order() {
        return List.of(
                behaviour(
                        "spec0607_launchesReadTheirInputAnew",
                        "Every launch computes from what its input holds then.",
                        Checks.relaunches()),
                Rule.required(
                                "spec0306_factorsMayBeInMemory",
                                "premul-sum reads a factor that is in memory when it has the sum.",
                                ANY_RESULT,
                                Checks.factorInMemory(),
                                (scope, rule) ->
                                        scope.capabilities().reduceOps().contains(ReduceOp.Kind.PREMUL_SUM)
                                                ? scope.types().stream()
                                                        .map(scope.usual(rule)::type)
                                                        .toList()
                                                : List.of())
                        .after(with("spec0306_averagesAndPremultipliedSums", "spec0607_launchesReadTheirInputAnew")),
                Rule.required(
                                "spec0501_sizesMayChange",
                                "Messages of any sizes can follow one another.",
                                ANY_RESULT,
                                Checks.changingSizes(),
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule),
                                        over(Scope.COLLECTIVES, TestCase::collective),
                                        over(
                                                smallWorlds(scope),
                                                (test, world) ->
                                                        test.world(world).count(1000))))
                        .after(with("spec0607_launchesReadTheirInputAnew", "spec0101_everyCount")),
                Rule.required(
                                "spec0601_launchesKeepTheirOrder",
                                "Launches of one communicator run in the order in which they were made.",
                                ANY_RESULT,
                                Checks.order(),
                                (scope, rule) -> List.of(scope.usual(rule).op(ReduceOp.MAX)))
                        .after(with(
                                "spec0607_launchesReadTheirInputAnew",
                                "spec0307_neverAnotherOperation",
                                "spec0104_inputsAreNotChanged")),
                behaviour(
                                "spec0601_communicatorsAreIndependent",
                                "Different communicators, also over the same ranks, run at the same time.",
                                Checks.twoCommunicators())
                        .after(with("spec0607_launchesReadTheirInputAnew")),
                behaviour(
                        "spec0603_awaitOrdersAStream",
                        "Work.await orders a stream after the operation.",
                        Checks.await()),
                behaviour(
                        "spec0604_buffersInUseAreNotClosed",
                        "Buffers in use by a prepared operation cannot be closed.",
                        Checks.bufferInUse()),
                behaviour(
                                "spec0606_launchesInARow",
                                "Any number of launches may be in flight; all of them end.",
                                Checks.load())
                        .after(with("spec0104_inputsAreNotChanged")));
    }

    private static List<Rule> programs() {
        List<String> after = with(
                "spec0607_launchesReadTheirInputAnew",
                "spec0101_everyCount",
                "spec0104_inPlace",
                "spec0106_unalignedBuffers",
                "spec0904_everyRoot");
        return ProgramRules.all(after, ANY_RESULT);
    }

    private static List<Rule> failures() {
        return List.of(
                behaviour(
                        "spec0701_badArgumentsChangeNothing",
                        "A bad call is refused on every rank and changes nothing.",
                        Checks.badArguments()),
                Rule.required(
                                "spec0702_missingRanksAreNamed",
                                "A join that takes too long throws, and names who is missing; the operation stays in flight.",
                                ANY_RESULT,
                                Checks.missingRank(),
                                (scope, rule) -> scope.fewWorlds().stream()
                                        .map(scope.usual(rule)::world)
                                        .toList())
                        .after(SOUND),
                behaviour(
                                "spec0704_abortEndsEverything",
                                "An abort ends what is in flight; later calls are refused.",
                                Checks.abort())
                        .ifDeclared(Feature.ABORT)
                        .spoiling(),
                behaviour(
                                "spec0711_whoIsLeftGoesOn",
                                "After an abort, the ranks that are left shrink the communicator and go on.",
                                Checks.shrink())
                        .ifDeclared(Feature.ABORT)
                        .after(with("spec0704_abortEndsEverything", "spec0607_launchesReadTheirInputAnew"))
                        .spoiling());
    }

    private static List<Rule> features() {
        return List.of(
                behaviour("spec1103_hostMemory", "The host can access device memory directly.", Checks.hostMemory())
                        .ifDeclared(Feature.HOST_MEMORY)
                        .after(List.of()),
                Rule.required(
                                "spec1104_hostChannels",
                                "Operations of memory channels may be called from host threads.",
                                ANY_RESULT,
                                Checks.memoryChannel(),
                                Rules::neighboursOnANode)
                        .ifDeclared(Feature.HOST_CHANNELS)
                        .after(List.of()),
                Rule.required(
                                "spec1105_deviceChannels",
                                "Kernels of users may call every operation of channels.",
                                with(FindingKind.UNSUPPORTED),
                                Checks.deviceChannels(),
                                Rules::worldsOnANode)
                        .ifDeclared(Feature.DEVICE_CHANNELS)
                        .after(List.of()),
                Rule.required(
                                "spec1106_abortEndsKernelsOfUsers",
                                "An abort ends the waits of users' kernels.",
                                with(FindingKind.UNSUPPORTED),
                                Checks.deviceAbort(),
                                Rules::neighboursOnANode)
                        .ifDeclared(Feature.DEVICE_CHANNELS)
                        .after(List.of("spec1105_deviceChannels"))
                        .spoiling(),
                behaviour(
                                "spec0405_portChannelsSignalAfterTheirData",
                                "The data of a port channel is visible to whoever waits for a later signal.",
                                Checks.portChannel())
                        .after(List.of()),
                graphs(
                        "spec0608_graphsAreReplayedBetweenLaunches",
                        "A captured launch can be replayed any number of times, between other launches.",
                        Checks.graphReplay(),
                        (scope, rule) -> scope.combine(
                                scope.usual(rule),
                                over(Scope.COLLECTIVES, TestCase::collective),
                                over(List.of(true, false), TestCase::registered))),
                graphs(
                                "spec0608_replaysKeepTheOrder",
                                "Replays and other launches of one communicator run in the order in which they were made.",
                                Checks.graphOrder(),
                                (scope, rule) -> List.of(scope.usual(rule).op(ReduceOp.MAX)))
                        .after(REPLAYED),
                graphs(
                                "spec0608_graphsMayHaveBranches",
                                "A graph may hold launches of several communicators, on several streams.",
                                Checks.graphBranches(),
                                Rules::usualCase)
                        .after(REPLAYED),
                graphs(
                                "spec0609_graphsKeepWhatTheyUse",
                                "What a graph uses lives as long as the graph; one whose communicator is closed is refused.",
                                Checks.graphLife(),
                                Rules::usualCase)
                        .after(REPLAYED));
    }

    private static List<Rule> messages() {
        return List.of(
                message(
                        "spec1201_messagesArrive",
                        "Messages of any size go from every rank to every rank in one batch.",
                        Checks.messages()),
                message(
                                "spec1202_messagesKeepTheirOrder",
                                "Messages from one rank to another are received in the order in which they were sent.",
                                Checks.messageOrder())
                        .after(List.of("spec1201_messagesArrive")),
                message(
                                "spec1207_missingSendersAreNamed",
                                "A join that waits for a message names who has not sent it.",
                                Checks.missingSender())
                        .after(List.of("spec1201_messagesArrive")),
                message(
                                "spec1201_unequalSizesAreTold",
                                "Where the ends of a message differ in its size, the communicator is aborted, with both sizes.",
                                Checks.unequalSizes())
                        .after(List.of("spec1201_messagesArrive"))
                        .spoiling(),
                message(
                                "spec1203_messagesAreReplayed",
                                "Captured messages can be replayed, between other launches too.",
                                Checks.messageReplay())
                        .ifDeclared(Feature.GRAPH_CAPTURE)
                        .after(List.of("spec1201_messagesArrive", REPLAYED.getFirst())),
                Rule.required(
                                "spec1208_partsOfAnySizesAreReduced",
                                "Parts of any sizes are reduced, each to its rank.",
                                ANY_RESULT,
                                Checks.partReductions(),
                                (scope, rule) -> scope.combine(
                                        scope.usual(rule).count(33),
                                        over(scope.types(), TestCase::type),
                                        ops(scope, ALL_OPS),
                                        over(smallWorlds(scope), TestCase::world),
                                        over(List.of(true, false), TestCase::registered)))
                        .after(with("spec0301_everyTypeAndOperation", "spec0904_everyRoot")));
    }

    private static List<Rule> windows() {
        return List.of(
                window(
                        "spec1303_putsAreSeenBehindASignal",
                        "Who has waited for a signal sees what its sender has put before it, and nothing else has changed.",
                        Checks.window()),
                window(
                        "spec1304_signalsAreCounted",
                        "Each signal of a window ends one wait, whenever it came; one too many waits, and names who is missing.",
                        Checks.windowSignals()),
                window(
                                "spec1302_windowsAreReplayed",
                                "Captured puts and signals can be replayed.",
                                Checks.windowReplay())
                        .ifDeclared(Feature.GRAPH_CAPTURE)
                        .after(List.of("spec1303_putsAreSeenBehindASignal", REPLAYED.getFirst())),
                window(
                                "spec1307_kernelsUseWindows",
                                "Kernels of users put, get and signal, and their signals are those of launches.",
                                Checks.deviceWindow())
                        .ifDeclared(Feature.DEVICE_CHANNELS)
                        .after(List.of("spec1105_deviceChannels", "spec1303_putsAreSeenBehindASignal")));
    }

    private static List<Rule> faults() {
        return FaultRules.all(with("spec0607_launchesReadTheirInputAnew"), ANY_RESULT);
    }

    /** On one node: windows do not lead to others. */
    private static Rule window(String id, String statement, RankCheck check) {
        return message(id, statement, check)
                .ifDeclared(Feature.WINDOWS)
                .notIn(Mode.NODES, "windows reach the memory of ranks of the same node only");
    }

    private static Rule message(String id, String statement, RankCheck check) {
        return Rule.required(
                        id,
                        statement,
                        ANY_RESULT,
                        check,
                        (scope, rule) -> scope.fewWorlds().stream()
                                .map(scope.usual(rule)::world)
                                .toList())
                .ifDeclared(Feature.POINT_TO_POINT)
                .after(List.of());
    }

    private static Rule graphs(String id, String statement, RankCheck check, CaseSource source) {
        return Rule.required(id, statement, ANY_RESULT, check, source)
                .ifDeclared(Feature.GRAPH_CAPTURE)
                .after(SOUND);
    }

    private static List<TestCase> usualCase(Scope scope, String rule) {
        return List.of(scope.usual(rule));
    }

    private static List<Rule> untested() {
        return List.of(
                Rule.untested(
                        "spec0602_launchingAllocatesNothing",
                        "a suite cannot tell whose allocation it sees; the runtime's AllocationTest measures it"),
                Rule.untested(
                        "spec0504_flagsSkipZero",
                        "takes 2^32 launches, unless the suite runs with MSCCLJ_FIRST_FLAG=4294967294: then all rules test it"),
                Rule.untested(
                        "spec0807_plansAreVerifiedOnce",
                        "verifying is the runtime's own affair, whatever the backend; its PlanProofTest checks it"),
                Rule.untested(
                        "spec0714_newcomersGoOnWithSurvivors",
                        "the ranks of the suite are there from the start; the runtime's ReconfigureTest and ReconfigureAfterKillTest try it"));
    }

    private static Rule shape(String id, String statement, CaseSource source) {
        return Rule.required(id, statement, ANY_RESULT, RESULT, source).after(SOUND);
    }

    private static Rule behaviour(String id, String statement, RankCheck check) {
        return Rule.required(id, statement, ANY_RESULT, check, (scope, rule) -> List.of(scope.usual(rule)))
                .after(SOUND);
    }

    /** Two ranks, three, and more. */
    private static List<TestCase> worldsOnANode(Scope scope, String rule) {
        return scope.worlds().stream()
                .filter(world -> world > 1 && world <= 8)
                .map(scope.usual(rule)::world)
                .toList();
    }

    /** On several nodes it takes four ranks to have two on one of them. */
    private static List<TestCase> neighboursOnANode(Scope scope, String rule) {
        int world = scope.mode() == Mode.NODES ? 4 : scope.usualWorld();
        return world <= scope.capabilities().maxRanks()
                ? List.of(scope.usual(rule).world(world))
                : List.of();
    }

    private static Set<FindingKind> with(FindingKind kind) {
        EnumSet<FindingKind> kinds = EnumSet.copyOf(ANY_RESULT);
        kinds.add(kind);
        return kinds;
    }

    private static List<String> with(String... more) {
        return Stream.concat(SOUND.stream(), Arrays.stream(more)).distinct().toList();
    }

    /** Those of the operations that are declared. */
    private static List<UnaryOperator<TestCase>> ops(Scope scope, List<ReduceOp> ops) {
        return over(
                ops.stream()
                        .filter(op -> scope.capabilities().reduceOps().contains(op.kind()))
                        .toList(),
                TestCase::op);
    }

    private static List<UnaryOperator<TestCase>> floats(Scope scope) {
        return over(scope.types().stream().filter(DataType::isFloat).toList(), TestCase::type);
    }

    private static List<Integer> smallWorlds(Scope scope) {
        return scope.worlds().stream()
                .filter(world -> world <= 5 || !scope.given().isEmpty())
                .toList();
    }

    private static List<Integer> worldsWithPeers(Scope scope) {
        return scope.worlds().stream().filter(world -> world > 1).toList();
    }

    private static List<TestCase> usualCases(Scope scope, String rule) {
        return Scope.COLLECTIVES.stream()
                .map(collective -> scope.usual(rule).collective(collective))
                .toList();
    }

    private static List<TestCase> usualAndOddCases(Scope scope, String rule) {
        List<TestCase> cases = new ArrayList<>(usualCases(scope, rule));
        usualCases(scope, rule).forEach(test -> cases.add(test.count(1025)));
        return cases;
    }

    private static List<TestCase> undeclaredCases(Scope scope, String rule) {
        List<TestCase> cases = new ArrayList<>();
        for (DataType type : DataType.values()) {
            if (!scope.types().contains(type)) {
                cases.add(scope.usual(rule).type(type));
            }
        }
        ALL_OPS.stream()
                .filter(op -> !scope.capabilities().reduceOps().contains(op.kind()))
                .filter(op -> op.kind().supports(scope.usualType()))
                .forEach(op -> cases.add(scope.usual(rule).op(op)));
        return cases;
    }

    /** Sums over two ranks, so that nothing but the result is stored. */
    private static List<TestCase> narrow(Scope scope, String rule, DataShape data) {
        if (scope.capabilities().maxRanks() < 2) {
            return List.of();
        }
        return scope.types().stream()
                .filter(type -> type.isFloat() && type.byteSize() <= Short.BYTES)
                .map(type -> scope.usual(rule).world(2).type(type).count(4096).data(data))
                .toList();
    }
}
