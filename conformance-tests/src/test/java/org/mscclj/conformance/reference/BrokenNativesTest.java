package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.rule.Scope;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** The rule about a native algorithm that calls name. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokenNativesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Capabilities WITH_NATIVES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT16),
            EnumSet.allOf(ReduceOp.Kind.class),
            4,
            Set.of(Feature.RANKS_AS_THREADS, Feature.DEVICE_CHANNELS, Feature.ABORT));
    private static final String ID = "spec0811_portByName";
    private static final Rule RULE =
            Rules.ofNative(new Own(Collective.BROADCAST)).getFirst();

    /** Refuses calls in place. The reference serves its calls, by the program of this name. */
    private record Own(Collective collective) implements NativeAlgorithm<AutoCloseable> {
        @Override
        public String name() {
            return "port";
        }

        @Override
        public Optional<String> refusal(CallShape shape) {
            return shape.inPlace() ? Optional.of("it needs an output of its own") : Optional.empty();
        }

        @Override
        public AutoCloseable context(Communicator communicator, CallKind kind) {
            throw new IllegalStateException("the reference calls nothing");
        }

        @Override
        public void launch(AutoCloseable context, CollectiveCall call, LaunchSize size, Stream stream) {
            throw new IllegalStateException("the reference calls nothing");
        }
    }

    private static List<RuleResult> results(IntFunction<Defect> defect) {
        return results(defect, TIMEOUT, List.of(RULE));
    }

    private static List<RuleResult> results(IntFunction<Defect> defect, Duration timeout, List<Rule> rules) {
        return Trial.run(Mode.THREADS, ReferenceGroup.with(defect, timeout), WITH_NATIVES, timeout, rules);
    }

    private static boolean isOwn(CollectiveCall call) {
        return call.algorithm().equals(Optional.of("port"));
    }

    @Test
    void aRightOneKeepsTheRule() {
        RuleResult right = results(_ -> new Defect()).getLast();
        assertEquals(ID, right.rule().id());
        assertEquals(Outcome.PASSED, right.outcome(), right::text);
    }

    @Test
    void copiesStaleData_shouldFailBy_spec0811() {
        Trial.assertFailsOnly(ID, results(rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                if (isOwn(launch.call()) && rank == 1 && launch.number() > 1 && launch.result().length > 0) {
                    launch.result()[launch.result().length - 1]++;
                }
            }
        }));
    }

    @Test
    void isServedByAnother_shouldFailBy_spec0811() {
        Trial.assertFailsOnly(ID, results(_ -> new Defect() {
            @Override
            String algorithm(CollectiveCall call) {
                return isOwn(call) ? "packets" : call.algorithm().orElse("reference");
            }
        }));
    }

    @Test
    void waitsOnAfterAnAbort_shouldFailBy_spec0704() {
        List<Rule> rules = Rules.ofNative(new Own(Collective.ALLGATHER));
        Trial.assertFailsOnly(
                "spec0704_abortEndsNatives",
                results(
                        _ -> new Defect() {
                            @Override
                            boolean hearsAborts(CollectiveCall call) {
                                return !isOwn(call);
                            }
                        },
                        Duration.ofSeconds(5),
                        rules));
    }

    @Test
    void casesAreWhatItDoesNotRefuse() {
        List<TestCase> cases = RULE.cases(new Scope(Mode.THREADS, WITH_NATIVES, Depth.FULL, List.of(), 1));
        assertFalse(cases.stream().anyMatch(test -> test.inPlace() && test.count() > 0));
        assertEquals(
                List.of(1, 2, 3, 4),
                cases.stream().map(TestCase::world).distinct().sorted().toList());
        assertTrue(cases.stream().anyMatch(test -> test.count() == 0 && test.type() == DataType.FLOAT16));
        assertTrue(cases.stream().anyMatch(test -> test.root() == 3));
    }
}
