package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.suite.Suite;
import org.mscclj.conformance.suite.SuiteOptions;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * The rules about graphs: right graphs keep all of them, and wrong ones break exactly the rule that they are wrong
 * about.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("deep")
class BrokenGraphsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT32),
            EnumSet.of(ReduceOp.Kind.SUM, ReduceOp.Kind.MAX),
            8,
            Set.of(
                    Feature.PLANS,
                    Feature.RANKS_AS_THREADS,
                    Feature.HOST_CHANNELS,
                    Feature.HOST_MEMORY,
                    Feature.MULTICAST,
                    Feature.GRAPH_CAPTURE,
                    Feature.ABORT));

    private static List<Rule> rules() {
        return Rules.all().stream()
                .filter(rule ->
                        rule.feature().filter(Feature.GRAPH_CAPTURE::equals).isPresent())
                .toList();
    }

    private static void assertFailed(List<String> wanted, IntFunction<GraphDefect> defects) {
        SuiteOptions options = SuiteOptions.sample()
                .modes(List.of(Mode.THREADS))
                .depth(Depth.QUICK)
                .timeout(TIMEOUT);
        List<RuleResult> results;
        try (Suite suite = new Suite(Mode.THREADS, options, GraphsOf.with(defects, TIMEOUT), CAPABILITIES)) {
            results = suite.run(rules(), result -> {});
        }
        List<String> failed = results.stream()
                .filter(result -> result.outcome() == Outcome.FAILED)
                .map(result -> result.rule().id())
                .toList();
        assertEquals(
                wanted, failed, () -> results.stream().map(RuleResult::text).collect(Collectors.joining("\n")));
    }

    @Test
    void rightGraphsKeepEveryRule() {
        assertFailed(List.of(), rank -> new GraphDefect());
    }

    @Test
    void replaysOnlyOnce_shouldFailBy_spec0608() {
        assertFailed(List.of("spec0608_graphsAreReplayedBetweenLaunches"), rank -> new GraphDefect() {
            private final Set<Graph> launched = new HashSet<>();

            @Override
            void launch(Graph graph, Stream stream) {
                if (launched.add(graph)) {
                    graph.launch(stream);
                }
            }
        });
    }

    @Test
    void swapsReplays_shouldFailBy_spec0608() {
        assertFailed(List.of("spec0608_replaysKeepTheOrder"), rank -> new GraphDefect() {
            private final List<Runnable> held = new ArrayList<>();
            private int open;

            @Override
            void opened(int more) {
                open += more;
            }

            @Override
            void launch(Graph graph, Stream stream) {
                if (open > 1) {
                    held.addFirst(() -> graph.launch(stream));
                } else {
                    graph.launch(stream);
                }
            }

            @Override
            void beforeWaiting() {
                held.forEach(Runnable::run);
                held.clear();
            }
        });
    }

    @Test
    void hidesThatAReplayIsLate_shouldFailBy_spec0704() {
        assertFailed(List.of("spec0704_lateReplaysEndTheCommunicator"), rank -> new GraphDefect() {
            @Override
            boolean tellsOfAborts() {
                return rank != 0;
            }
        });
    }

    @Test
    void ignoresThatACommunicatorIsClosed_shouldFailBy_spec0609() {
        assertFailed(List.of("spec0609_graphsKeepWhatTheyUse"), rank -> new GraphDefect() {
            @Override
            void launch(Graph graph, Stream stream) {
                launchUnless("a communicator", graph, stream);
            }
        });
    }

    @Test
    void replaysWhatIsClosed_shouldFailBy_spec0701() {
        assertFailed(List.of("spec0701_argumentsOfGraphs"), rank -> new GraphDefect() {
            @Override
            void launch(Graph graph, Stream stream) {
                launchUnless("the graph is closed", graph, stream);
            }
        });
    }

    /** As if it had been launched, if it is refused because of that. */
    private static void launchUnless(String refusal, Graph graph, Stream stream) {
        try {
            graph.launch(stream);
        } catch (InvalidArgumentException e) {
            if (!e.getMessage().startsWith(refusal)) {
                throw e;
            }
        }
    }
}
