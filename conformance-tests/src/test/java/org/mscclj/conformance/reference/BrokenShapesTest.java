package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.rule.Force;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.suite.Suite;
import org.mscclj.conformance.suite.SuiteOptions;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** Implementations that are right for the usual calls, and wrong for one shape, type, order or argument. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("deep")
class BrokenShapesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.allOf(DataType.class),
            EnumSet.allOf(ReduceOp.Kind.class),
            8,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS));

    /** Rules that no test of this package breaks, and why. */
    private static final Map<String, String> UNBROKEN = Map.of(
            "spec0107_plainBuffers", "no implementation of threads can tell whose memory it has",
            "spec0405_portChannelsSignalAfterTheirData",
                    "channels of the host are the runtime's own; its HandMadeChannelsTest has wrong uses of them",
            "spec0707_waitsOfKernelsForClosedPeersEnd", "the CPU has no kernels",
            "spec0707_waitsOfKernelsInWindowsEnd", "the CPU has no kernels",
            "spec1103_hostMemory", "memory is the host's wherever ranks are threads",
            "spec1104_hostChannels", "as spec0405",
            "spec1106_abortEndsKernelsOfUsers", "the CPU has no kernels",
            "spec1307_kernelsUseWindows", "the CPU has no kernels");

    /** What other tests of this package are about. */
    private static final List<String> OTHERS = List.of("spec0713", "spec12", "spec13");

    private static List<Rule> rules() {
        List<Rule> rules = new ArrayList<>(Rules.all());
        rules.removeAll(Rules.ofFaults());
        rules.removeIf(ReferenceGroup::lacks);
        rules.removeIf(rule -> OTHERS.stream().anyMatch(rule.id()::startsWith));
        return rules;
    }

    private static List<RuleResult> run(IntFunction<Defect> defect, List<Rule> rules) {
        return Trial.run(Mode.THREADS, ReferenceGroup.with(defect, TIMEOUT), CAPABILITIES, TIMEOUT, rules);
    }

    private static void assertFailsOnly(String rule, IntFunction<Defect> defect) {
        Trial.assertFailsOnly(rule, run(defect, Trial.forDefect(rules(), rule)));
    }

    /** Results of some launches have a wrong element. */
    private static Defect wrongFor(Predicate<Launch> launches) {
        return new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                if (launch.result().length > 0 && launches.test(launch)) {
                    launch.result()[launch.result().length / 2] ^= 1;
                }
            }
        };
    }

    /** Every rule, of any package of this kind of tests. */
    @Test
    void everyRuleIsBrokenByATest() throws IOException {
        StringBuilder tests = new StringBuilder();
        try (DirectoryStream<Path> sources = Files.newDirectoryStream(
                Path.of("src/test/java/org/mscclj/conformance/reference"), "Broken*Test.java")) {
            for (Path source : sources) {
                tests.append(Files.readString(source, StandardCharsets.UTF_8));
            }
        }
        int exceptions = tests.indexOf("UNBROKEN = ");
        tests.delete(exceptions, tests.indexOf("private static", exceptions));
        Set<String> unbroken = new TreeSet<>();
        for (Rule rule : Rules.all()) {
            if (rule.force() != Force.UNTESTED && tests.indexOf('"' + rule.id() + '"') < 0) {
                unbroken.add(rule.id());
            }
        }
        unbroken.removeIf(id -> id.startsWith("spec0806_")); // one broken program shows that each is judged by itself
        assertEquals(new TreeSet<>(UNBROKEN.keySet()), unbroken);
    }

    @Test
    void aRightOneKeepsEveryRule() {
        List<RuleResult> results = run(rank -> new Defect(), rules());
        results.forEach(result -> assertNotEquals(Outcome.FAILED, result.outcome(), result::text));
    }

    /** Quick runs have no more ranks than other rules. */
    @Test
    void errsWithEightRanks_shouldFailBy_spec0101() {
        SuiteOptions options =
                SuiteOptions.sample().modes(List.of(Mode.THREADS)).timeout(TIMEOUT);
        RankGroups groups = ReferenceGroup.with(rank -> wrongFor(launch -> launch.world() == 8), TIMEOUT);
        try (Suite suite = new Suite(Mode.THREADS, options, groups, CAPABILITIES)) {
            List<Rule> rules = List.of(Rules.find("spec0101_everyCount"), Rules.find("spec0101_everyNumberOfRanks"));
            Trial.assertFailsOnly("spec0101_everyNumberOfRanks", suite.run(rules, _ -> {}));
        }
    }

    /** Of a size that other rules about buffers do not have. */
    @Test
    void errsInPlace_shouldFailBy_spec0104() {
        assertFailsOnly(
                "spec0104_inPlace",
                rank -> wrongFor(launch -> launch.call().collective() == Collective.ALLREDUCE
                        && launch.world() == 2
                        && launch.result().length == 128
                        && isInPlace(launch.call())));
    }

    private static boolean isInPlace(CollectiveCall call) {
        return call.input().address() == call.output().address();
    }

    @Test
    void errsForTheLastRoot_shouldFailBy_spec0904() {
        assertFailsOnly(
                "spec0904_everyRoot",
                rank -> wrongFor(launch ->
                        launch.call().collective().hasRoot() && launch.call().root() == 3 && launch.world() == 5));
    }

    @Test
    void takesOneTypeForAnother_shouldFailBy_spec0301() {
        assertFailsOnly(
                "spec0301_everyTypeAndOperation",
                rank -> wrongFor(launch -> launch.call().type() == DataType.UINT64
                        && launch.call().op().equals(ReduceOp.BOR)));
    }

    /** Cuts where it should round, which sums of small whole numbers, or of small fractions, do not show. */
    @Test
    void cutsNarrowFloats_shouldFailBy_spec0303() {
        assertFailsOnly("spec0303_narrowFloatsAreRoundedOnce", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                if (launch.call().type() == DataType.FLOAT16
                        && launch.call().op().equals(ReduceOp.SUM)) {
                    ElementCodec codec = new ElementCodec(DataType.FLOAT16);
                    for (int i = 0; i < launch.result().length; i++) {
                        double value = codec.decode(launch.result()[i]);
                        if (Math.rint(value) != value && Math.abs(value) > launch.world()) {
                            launch.result()[i] &= ~1L;
                        }
                    }
                }
            }
        });
    }

    @Test
    void hasNoInfinity_shouldFailBy_spec0304() {
        assertFailsOnly("spec0304_overflowSaturatesOrIsInfinite", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                if (launch.call().type() == DataType.FLOAT16
                        && launch.call().op().equals(ReduceOp.SUM)) {
                    for (int i = 0; i < launch.result().length; i++) {
                        if (launch.result()[i] == 0x7c00) {
                            launch.result()[i]--;
                        }
                    }
                }
            }
        });
    }

    @Test
    void ignoresNan_shouldFailBy_spec0305() {
        assertFailsOnly("spec0305_extremaOfNanAndZeros", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                boolean extremum = launch.call().op().equals(ReduceOp.MIN)
                        || launch.call().op().equals(ReduceOp.MAX);
                if (launch.call().type().isFloat() && extremum) {
                    ElementCodec codec = new ElementCodec(launch.call().type());
                    for (int i = 0; i < launch.result().length; i++) {
                        if (Double.isNaN(codec.decode(launch.result()[i]))) {
                            launch.result()[i] = 0;
                        }
                    }
                }
            }
        });
    }

    /** What was set up for no elements serves the next call as well. */
    @Test
    void staysEmpty_shouldFailBy_spec0501() {
        assertFailsOnly("spec0501_sizesMayChange", rank -> new Defect() {
            private int last = -1;
            private int lastButOne = -1;

            @Override
            void beforeWrite(Launch launch) {
                int count = launch.result().length;
                if (last == 0 && count == 2 * lastButOne + 3) {
                    System.arraycopy(launch.before(), 0, launch.result(), 0, count);
                }
                lastButOne = last;
                last = count;
            }
        });
    }

    /** Reads before the launch before has written: the second launch of a pair sees what its input held then. */
    @Test
    void overtakesTheLaunchBefore_shouldFailBy_spec0601() {
        assertFailsOnly("spec0601_launchesKeepTheirOrder", rank -> new Defect() {
            private long written;

            @Override
            void beforeWrite(Launch launch) {
                if (launch.number() > 1 && launch.call().input().address() == written && !isInPlace(launch.call())) {
                    launch.result()[0] ^= 1;
                }
                written = launch.call().output().address();
            }
        });
    }

    @Test
    void letsBuffersGo_shouldFailBy_spec0604() {
        assertFailsOnly("spec0604_buffersInUseAreNotClosed", rank -> new Defect() {
            @Override
            boolean retainsBuffers() {
                return false;
            }
        });
    }

    @Test
    void takesBitsOfFloats_shouldFailBy_spec0701() {
        assertFailsOnly("spec0701_badArgumentsChangeNothing", rank -> new Defect() {
            @Override
            boolean refuses(CollectiveCall call) {
                return !call.op().equals(ReduceOp.BXOR);
            }
        });
    }
}
