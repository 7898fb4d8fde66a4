package org.mscclj.conformance.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.group.RankGroup;
import org.mscclj.conformance.rank.Finding;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** The suite over ranks that do nothing, and say what they are told to. */
class SuiteTest {
    private static final Capabilities EVERYTHING = new Capabilities(
            EnumSet.allOf(DataType.class), EnumSet.allOf(ReduceOp.Kind.class), 8, EnumSet.allOf(Feature.class));

    private static Suite suite(Function<TestCase, List<Finding>> findings, Runnable close) {
        return suite(
                SuiteOptions.sample().modes(List.of(Mode.THREADS)).depth(Depth.QUICK), EVERYTHING, findings, close);
    }

    private static Suite suite(
            SuiteOptions options,
            Capabilities capabilities,
            Function<TestCase, List<Finding>> findings,
            Runnable close) {
        return new Suite(
                Mode.THREADS,
                options,
                (mode, world, kind) -> new RankGroup() {
                    @Override
                    public List<RankVerdict> run(TestCase test, RankCheck check) {
                        return IntStream.range(0, world)
                                .mapToObj(rank -> new RankVerdict(rank, 0, findings.apply(test)))
                                .toList();
                    }

                    @Override
                    public boolean isUsable() {
                        return true;
                    }

                    @Override
                    public void close() {
                        close.run();
                    }
                },
                capabilities);
    }

    @Test
    void nothingIsLeftOfRanksThatFindNothing() {
        try (Suite suite = suite(test -> List.of(), () -> {})) {
            suite.run(result -> assertEquals("", result.outcome() == Outcome.UNTESTED ? "" : result.reason()));
            assertEquals(List.of(), suite.unexplained());
        }
    }

    @Test
    void aFindingThatNoRuleJudgesIsTold() {
        Finding finding = new Finding(FindingKind.UNREPEATED, "other bits");
        try (Suite suite =
                suite(test -> test.rule().equals("spec0101_everyCount") ? List.of(finding) : List.of(), () -> {})) {
            suite.run(result -> assertTrue(result.outcome() != Outcome.FAILED, result::text));
            List<Unexplained> left = suite.unexplained();
            assertTrue(!left.isEmpty());
            assertEquals(
                    "spec0101_everyCount",
                    TestCase.parse(left.getFirst().what()).rule());
            assertTrue(left.getFirst().reason().contains("rank 0 UNREPEATED: other bits"), left::toString);
        }
    }

    private static final String CLOSED_RANKS = "spec0707_closedRanksAreNamed";
    private static final List<String> ABOUT_CLOSED_PEERS = List.of(
            "spec0707_closedSendersAreNamed",
            "spec0707_closedSignallersAreNamed",
            "spec0707_closedPeersOfPortChannelsAreNamed",
            "spec0707_closedPeersOfMemoryChannelsAreNamed");

    private static Capabilities without(Feature feature) {
        EnumSet<Feature> features = EnumSet.allOf(Feature.class);
        features.remove(feature);
        return new Capabilities(EVERYTHING.dataTypes(), EVERYTHING.reduceOps(), EVERYTHING.maxRanks(), features);
    }

    /** Where another library serves the collectives, it may find a loss itself; messages and channels stay ours. */
    @Test
    void aRuleOfPlansBarsNoOtherWhereThereAreNone() {
        SuiteOptions options =
                SuiteOptions.sample().modes(List.of(Mode.THREADS)).depth(Depth.QUICK);
        try (Suite suite = suite(options, without(Feature.PLANS), test -> List.of(), () -> {})) {
            assertEquals(Outcome.SKIPPED, suite.check(Rules.find(CLOSED_RANKS)).outcome());
            for (String id : ABOUT_CLOSED_PEERS) {
                RuleResult result = suite.check(Rules.find(id));
                assertEquals(Outcome.PASSED, result.outcome(), result::text);
            }
        }
    }

    /** What such a rule presupposes is presupposed in its place; and where it binds and is broken, it bars others. */
    @Test
    void whatARuleOfPlansPresupposesStaysPresupposed() {
        Finding finding = new Finding(FindingKind.BEHAVIOUR, "nothing ends");
        SuiteOptions options =
                SuiteOptions.sample().modes(List.of(Mode.THREADS)).depth(Depth.QUICK);
        Map<String, Capabilities> brokenOnes =
                Map.of("spec0603_futuresEndWithTheirOperation", without(Feature.PLANS), CLOSED_RANKS, EVERYTHING);
        brokenOnes.forEach((broken, capabilities) -> {
            try (Suite suite = suite(
                    options,
                    capabilities,
                    test -> test.rule().equals(broken) ? List.of(finding) : List.of(),
                    () -> {})) {
                for (String id : ABOUT_CLOSED_PEERS) {
                    RuleResult result = suite.check(Rules.find(id));
                    assertEquals(Outcome.NOT_JUDGED, result.outcome(), result::text);
                    assertEquals("not judged, since rule " + broken + " is failed", result.reason());
                }
            }
        });
    }

    @Test
    void aRuleThatIsPartlySkippedSaysSo() {
        Finding refusal = new Finding(FindingKind.UNSUPPORTED, "not for five");
        try (Suite suite = suite(test -> test.world() == 5 ? List.of(refusal) : List.of(), () -> {})) {
            RuleResult result = suite.check(Rules.find("spec0101_everyCount"));
            assertEquals(Outcome.PASSED, result.outcome(), result::text);
            long skipped = result.count(Outcome.SKIPPED);
            assertTrue(skipped > 0 && skipped < result.cases(), result::text);
            assertTrue(
                    result.reason()
                            .startsWith(skipped + " of " + result.cases()
                                    + " cases skipped: not supported: rank 0 UNSUPPORTED: not for five"),
                    result::reason);
        }
    }

    @Test
    void aFeatureWithoutCasesDoesNotWork() {
        Capabilities few = new Capabilities(
                EVERYTHING.dataTypes(), EVERYTHING.reduceOps(), 8, EnumSet.of(Feature.PLANS, Feature.RANKS_AS_THREADS));
        SuiteOptions oneRank = SuiteOptions.sample().depth(Depth.QUICK).worlds(List.of(1));
        try (Suite suite = suite(oneRank, few, test -> List.of(), () -> {})) {
            RuleResult result = suite.check(Rules.find("spec0806_multicastByName"));
            assertEquals(0, result.cases());
            assertEquals(Outcome.SKIPPED, result.outcome(), result::text);
        }
    }

    @Test
    void whatFailsWhenAGroupIsClosedIsTold() {
        try (Suite suite = suite(test -> List.of(), () -> {
            throw new AbortedException("a thread is left");
        })) {
            suite.check(Rules.all().getFirst());
            List<Unexplained> left = suite.unexplained();
            assertEquals(1, left.size(), left::toString);
            assertTrue(left.getFirst().text().contains("a thread is left"), left::toString);
        }
    }
}
