package org.mscclj.conformance.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.suite.Suite;
import org.mscclj.conformance.suite.SuiteOptions;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * Every method with arguments has a bad call in the rules about refusals, and every argument that is an object has one
 * with null; or there is a reason why not. A new argument without a line in those rules fails here.
 */
class RefusalCoverageTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT32),
            EnumSet.of(ReduceOp.Kind.SUM, ReduceOp.Kind.MAX),
            4,
            Set.of(
                    Feature.PLANS,
                    Feature.RANKS_AS_THREADS,
                    Feature.POINT_TO_POINT,
                    Feature.WINDOWS,
                    Feature.GRAPH_CAPTURE,
                    Feature.HOST_CHANNELS,
                    Feature.ABORT));

    /** What no rule refuses, and why. */
    private static final Map<Pattern, String> EXCEPTIONS = Map.of(
            Pattern.compile("Communicator\\.(prepare|execute)\\(PlanCall[,)].*"),
            "the suite has no plans of its own; the runtime's HandMadePlansTest and LocalGroupTest have bad ones",
            Pattern.compile("Communicator\\.select\\(.*"),
            "chooses among plans, of which the suite has none",
            Pattern.compile("Communicator\\.(abort|addHook)\\([^)]*\\)"),
            "any text and any hook is right; null is refused",
            Pattern.compile("Communicator\\.reconfigure\\([^)]*\\)"),
            "a quorum is checked where it is made; the runtime's ReconfigureTest has those that do not fit",
            Pattern.compile("Device\\.(adopt|compile|createStream).*"),
            "takes what a driver made, or source for its compiler; tests of each backend have bad ones",
            Pattern.compile(
                    "(Stream\\.(capture|synchronize)|(PreparedOperation|Work)\\.(join|run)|PortChannel\\.flush)\\([^)]*\\)"),
            "any work may be captured, and any time to wait is right, which may have passed; null is refused");

    private static Set<String> refused() {
        RecordedRefusals recorded = new RecordedRefusals();
        SuiteOptions options = SuiteOptions.sample()
                .modes(List.of(Mode.THREADS))
                .depth(Depth.QUICK)
                .timeout(TIMEOUT);
        List<Rule> rules = Rules.ofFaults().stream()
                .filter(rule -> rule.id().startsWith("spec0701_") || rule.id().startsWith("spec1305_"))
                .map(rule -> rule.after(List.of())) // other tests check what these take for granted
                .toList();
        try (Suite suite = new Suite(Mode.THREADS, options, recorded.groups(TIMEOUT), CAPABILITIES)) {
            for (Rule rule : rules) {
                RuleResult result = suite.check(rule);
                assertEquals(Outcome.PASSED, result.outcome(), result::text);
            }
        }
        return recorded.refused();
    }

    @Test
    void everyArgumentHasABadCall() {
        Set<String> missing = new TreeSet<>();
        for (Class<?> type : RecordedRefusals.INTERFACES) {
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())) {
                    Class<?>[] arguments = method.getParameterTypes();
                    if (arguments.length > 0) {
                        missing.add(RecordedRefusals.name(method));
                    }
                    for (int i = 0; i < arguments.length; i++) {
                        if (!arguments[i].isPrimitive()) {
                            missing.add(RecordedRefusals.name(method, i));
                        }
                    }
                }
            }
        }
        missing.removeAll(refused());
        for (Map.Entry<Pattern, String> exception : EXCEPTIONS.entrySet()) {
            assertTrue(
                    missing.removeIf(exception.getKey().asMatchPredicate()),
                    () -> "there is nothing left of which it must be said: " + exception);
        }
        assertEquals("", String.join("\n", missing), "arguments without a bad call");
    }
}
