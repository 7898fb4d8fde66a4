package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.RuleForms.ANY_RESULT;
import static org.mscclj.conformance.rule.RuleForms.SOUND;
import static org.mscclj.conformance.rule.RuleForms.behaviour;
import static org.mscclj.conformance.rule.RuleForms.with;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.call.CallChecks;
import org.mscclj.conformance.rank.result.ResultChecks;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.language.program.ShippedProgram;

/**
 * Rules about what the calls of a collective have in common on all ranks: signatures, locations of buffers, algorithms
 * and hints.
 */
final class CallRules {
    /** Elements of a call: enough for several sizes of one algorithm, and few enough for one block of any backend. */
    private static final long COUNT = 480;

    /** Elements of the largest of calls that take turns: of a few packets for each block, and of many lines. */
    private static final long QUICK_TURNS = 4001;

    private static final long TURNS = 20_003;

    /** Float32 elements of more than 1 MiB, for which GPUs have another program than for its parts. */
    private static final long LARGE_TURNS = 300_007;

    private static final List<ShippedProgram> TURNING = List.of(
            ShippedProgram.PACKETS,
            ShippedProgram.PACKETS_TWO_SHOT,
            ShippedProgram.PACKETS_LL128,
            ShippedProgram.PACKETS_TWO_SHOT_LL128,
            ShippedProgram.DIRECT);

    private CallRules() {}

    /**
     * Returns the cases of calls that take turns: with each program that waits for flags, and with those of the sizes.
     */
    private static List<TestCase> turns(Scope scope, String rule) {
        TestCase usual = scope.usual(rule).count(scope.depth() == Depth.QUICK ? QUICK_TURNS : TURNS);
        List<TestCase> cases = new ArrayList<>(List.of(usual, usual.registered(false)));
        if (usual.world() > 1 && !usual.mode().isOfNodes()) { // the programs map the memory of all ranks
            TURNING.forEach(program -> cases.add(usual.program(program.label())));
        }
        if (scope.depth() != Depth.QUICK) {
            cases.add(usual.count(LARGE_TURNS));
        }
        return cases;
    }

    /** Returns a rule about the usual call, on plain and on registered memory. */
    private static Rule bothMemories(String id, String statement, RankCheck check) {
        return Rule.required(
                        id,
                        statement,
                        ANY_RESULT,
                        check,
                        (scope, rule) -> List.of(
                                scope.usual(rule).count(COUNT).registered(false),
                                scope.usual(rule).count(COUNT).registered(true)))
                .after(SOUND);
    }

    static List<Rule> all() {
        List<String> after = with("spec0607_launchesReadTheirInputAnew");
        List<String> afterSizes = with(
                "spec0607_launchesReadTheirInputAnew", "spec0101_everyCount", "spec0601_communicatorsAreIndependent");
        return List.of(
                behaviour(
                                "spec0802_knownKindsOnlyLaunch",
                                "A call of a kind that all ranks have called before waits for no other rank's call.",
                                CallChecks.knownKinds())
                        .after(after),
                behaviour(
                                "spec0801_memoryIsRegisteredAfterwards",
                                "Memory that ranks register after it was allocated is a place, like memory that they"
                                        + " allocate together.",
                                CallChecks.registeredMemory())
                        .after(after),
                bothMemories(
                                "spec0802_newSizesOnlyLaunch",
                                "Calls of new sizes, of a class whose largest call all ranks have made, wait for no"
                                        + " other rank's call.",
                                CallChecks.newSizes())
                        .after(afterSizes),
                behaviour(
                                "spec0802_warmedClassesOnlyLaunch",
                                "The first call of a class that ranks have warmed up waits for no other rank's call.",
                                CallChecks.warmUp())
                        .after(after),
                bothMemories(
                                "spec0802_communicatorsCrossAtNewSizes",
                                "Ranks make such calls on two communicators in crossed order.",
                                CallChecks.crossedSizes())
                        .after(afterSizes),
                Rule.required(
                                "spec0607_sizesTakeTurns",
                                "Large and small calls of one class take turns, and what one has left in scratch is no"
                                        + " data of another.",
                                ANY_RESULT,
                                ResultChecks.alternatingSizes(),
                                CallRules::turns)
                        .after(afterSizes),
                behaviour(
                                "spec0106_ranksMayAlignDifferently",
                                "The buffers of ranks may begin at different multiples of the size of an element.",
                                CallChecks.alignments())
                        .after(with("spec0607_launchesReadTheirInputAnew", "spec0106_unalignedBuffers")),
                behaviour(
                                "spec0803_placesAreEqual",
                                "A call with registered memory at different places, or with plain memory on"
                                        + " some ranks, is refused on all; preparing is not.",
                                CallChecks.places())
                        .after(after),
                behaviour(
                                "spec0804_emptyBuffersHaveNoPlace",
                                "Buffers of 0 bytes may differ in where they lie.",
                                CallChecks.emptyPlaces())
                        .after(after),
                behaviour(
                                "spec0805_ranksChooseAlike",
                                "All ranks choose the same algorithm; where one names another, all refuse.",
                                CallChecks.choice())
                        .after(after),
                behaviour(
                                "spec0808_otherHintsAreIgnored",
                                "Hints that are not known, or mean nothing, change nothing.",
                                CallChecks.otherHints())
                        .after(after),
                behaviour(
                                "spec0808_strictHintsAreRefused",
                                "Where hints are strict, such hints are refused on every rank, by name, and"
                                        + " ranks go on.",
                                CallChecks.strictHints())
                        .in(GroupKind.STRICT)
                        .after(after));
    }
}
