package org.mscclj.conformance.rule;

import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.scenario.GroupKind;

/**
 * The rules of backends, in the order in which they are checked: later rules presuppose earlier ones. Each rule is
 * limited so that one defect breaks one rule.
 */
public final class Rules {
    private static final List<Rule> FAULTS = FaultRules.all();

    private static final List<Rule> ALL = Stream.of(
                    ResultRules.all(),
                    TypeRules.all(),
                    OrderRules.all(),
                    ProgramRules.all(),
                    NativeRules.all(),
                    CallRules.all(),
                    FailureRules.all(),
                    NativeRules.aborts(),
                    FeatureRules.all(),
                    MessageRules.all(),
                    HookRules.all(),
                    FAULTS,
                    untested())
            .flatMap(List::stream)
            .toList();

    private Rules() {}

    /** Returns all rules, in order. */
    public static List<Rule> all() {
        return ALL;
    }

    /**
     * Returns the rule with an id.
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
     * Returns the rules about shipped programs and native algorithms that calls name.
     *
     * @param algorithms their names; {@code all} means each of them
     * @throws InvalidArgumentException if there is none of a name; the message lists them
     */
    public static List<Rule> ofAlgorithms(List<String> algorithms) {
        return algorithms.stream()
                .flatMap(name -> ProgramRules.idsOf(name).stream())
                .distinct()
                .map(Rules::find)
                .toList();
    }

    /**
     * Returns the rules about a native algorithm, which all communicators of the ranks must have. {@link #all} has the
     * rules about those that the service loader finds.
     */
    public static List<Rule> ofNative(NativeAlgorithm<?> algorithm) {
        return Stream.concat(Stream.of(NativeRules.rule(algorithm)), NativeRules.aborts(List.of(algorithm)).stream())
                .toList();
    }

    /** Returns the rules about results whose cases can also run with replays of graphs in place of launches. */
    public static List<Rule> ofReplays() {
        return ALL.stream().filter(rule -> rule.check().canReplay()).toList();
    }

    /** Returns the rules about deliberate faults: ranks that make different calls, launch late, abort, or are lost. */
    public static List<Rule> ofFaults() {
        return FAULTS;
    }

    /**
     * Returns a few rules of each sort, none of which waits for a timeout. They cover what a backend most likely gets
     * wrong on an unknown machine.
     */
    public static List<Rule> ofSmoke() {
        return Stream.of(
                        "spec0605_launchesEnd",
                        "spec0901_resultsAreRight",
                        "spec0105_nothingElseIsWritten",
                        "spec0101_everyNumberOfRanks",
                        "spec0107_plainBuffers",
                        "spec0108_hostAllocations",
                        "spec1101_declaredTypesAndOperationsWork",
                        "spec0606_launchesInARow",
                        "spec0601_communicatorsAreIndependent",
                        "spec0608_graphsAreReplayedBetweenLaunches",
                        "spec1201_messagesArrive",
                        "spec1303_putsAreSeenBehindASignal",
                        "spec1105_deviceChannels",
                        "spec0704_abortEndsEveryOperation",
                        "spec0702_stoppedRanksAreWaitedFor",
                        "spec0705_lostRanksAreNamed",
                        "spec0705_cutOffRanksAreNamed",
                        "spec0711_shrunkCommunicatorsWork")
                .map(Rules::find)
                .toList();
    }

    /** Returns all rules except those that wait for a timeout, which takes seconds each. */
    public static List<Rule> withoutWaits() {
        return ALL.stream()
                .filter(rule -> rule.groupKind() != GroupKind.IMPATIENT)
                .toList();
    }

    private static List<Rule> untested() {
        return List.of(
                Rule.untested(
                        "spec0602_launchingAllocatesNothing",
                        "a suite cannot tell whose allocation it sees; the runtime's AllocationTest measures it"),
                Rule.untested(
                        "spec0504_flagsSkipZero",
                        "takes 2^32 launches, unless the suite runs with MSCCLJ_FIRST_FLAG=4294967294: then all"
                                + " rules test it"),
                Rule.untested(
                        "spec0708_secretsAreProved",
                        "the ranks of the suite know their secret; the runtime's BootstrapTest and AcceptorTest"
                                + " try strangers and ranks that do not come"),
                Rule.untested(
                        "spec0709_closingLosesNoData",
                        "what a transport still carries cannot be seen from outside; the runtime's ClosingTest"
                                + " and NodesWindowTest close early"),
                Rule.untested(
                        "spec0801_allocationsHaveNumbers",
                        "the suite sees places only by which calls are refused, as spec0803_placesAreEqual"
                                + " demands; messages about faults name them, which the runtime's"
                                + " DifferentCallsTest checks"),
                Rule.untested(
                        "spec0805_registeredPlansComeFirst",
                        "the suite has no plans of its own; the runtime's AlgorithmSelectionTest chooses among"
                                + " plans and programs"),
                Rule.untested(
                        "spec0807_plansAreVerifiedOnce",
                        "verifying is the runtime's own affair, whatever the backend; its PlanProofTest checks it"),
                Rule.untested(
                        "spec0713_observersChangeNothing",
                        "the recorder and events are the runtime's own affair, whatever the backend; its"
                                + " FlightRecorderTest and EventRecorderTest check them"),
                Rule.untested(
                        "spec0714_newcomersJoinSurvivors",
                        "the ranks of the suite are there from the start; the runtime's ReconfigureTest and"
                                + " ReconfigureAfterKillTest try it"),
                Rule.untested(
                        "spec0714_storesKeepWhatIsSet",
                        "stores join processes before there are communicators, whatever the backend; the"
                                + " runtime's StoreTest, FileStoreTest, TcpStoreTest and StoreRendezvousTest check them"),
                Rule.untested(
                        "spec0810_objectsAreBytes",
                        "untested here, in mscclj-objects, on which the suite may not depend: its"
                                + " ObjectCollectivesTest checks collectives of objects"));
    }
}
