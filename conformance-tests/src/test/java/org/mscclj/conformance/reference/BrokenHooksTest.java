package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mscclj.conformance.reference.Interception.proceed;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** Communicators that tell hooks too little, too much, too late, or let them interfere. */
@Tag("deep")
class BrokenHooksTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String LAUNCHES = "spec0713_launchHooksAreCalled";
    private static final String REPLAYS = "spec0713_replayHooksAreCalled";
    private static final String ABORTS = "spec0713_abortHooksAreCalled";

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT32),
            EnumSet.of(ReduceOp.Kind.SUM),
            2,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.GRAPH_CAPTURE, Feature.ABORT));

    private static final List<String> RULES =
            List.of("spec0608_graphsAreReplayedBetweenLaunches", LAUNCHES, REPLAYS, ABORTS);

    private static List<RuleResult> run(Supplier<Interception> interceptions) {
        return Trial.run(interceptions, CAPABILITIES, TIMEOUT, RULES);
    }

    /** Communicators that give hooks to others that tell them. */
    private static void assertFailsOnly(String rule, UnaryOperator<CommunicatorHook> broken) {
        Trial.assertFailsOnly(
                rule,
                run(() -> (rank, inner, method, arguments) ->
                        inner instanceof Communicator && method.getName().equals("addHook")
                                ? proceed(inner, method, broken.apply((CommunicatorHook) arguments[0]))
                                : proceed(inner, method, arguments)));
    }

    /** A hook that passes on what it is told. */
    private static class Relay implements CommunicatorHook {
        private final CommunicatorHook hook;

        Relay(CommunicatorHook hook) {
            this.hook = hook;
        }

        @Override
        public void beforeOperation(OperationDescription operation) {
            hook.beforeOperation(operation);
        }

        @Override
        public void afterOperation(OperationDescription operation, long sequence) {
            hook.afterOperation(operation, sequence);
        }

        @Override
        public void onReplay(long sequence) {
            hook.onReplay(sequence);
        }

        @Override
        public void onAbort(String reason) {
            hook.onAbort(reason);
        }
    }

    @Test
    void rightCommunicatorsKeepEveryRule() {
        run(() -> Interception.NONE).forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void tellsAfterwardsOnly_shouldFailBy_spec0713() {
        assertFailsOnly(LAUNCHES, hook -> new Relay(hook) {
            private final AtomicReference<OperationDescription> before = new AtomicReference<>();

            @Override
            public void beforeOperation(OperationDescription operation) {
                before.set(operation);
            }

            @Override
            public void afterOperation(OperationDescription operation, long sequence) {
                super.afterOperation(operation, sequence);
                super.beforeOperation(before.get());
            }
        });
    }

    @Test
    void describesEachLaunchAnew_shouldFailBy_spec0713() {
        assertFailsOnly(LAUNCHES, hook -> new Relay(hook) {
            @Override
            public void beforeOperation(OperationDescription operation) {
                super.beforeOperation(new OperationDescription(
                        operation.operation(),
                        operation.type(),
                        operation.reduction(),
                        operation.root(),
                        operation.bytes(),
                        operation.inPlace(),
                        operation.algorithm()));
            }
        });
    }

    /** What a hook throws ends the launch that it was told of. */
    @Test
    void letsHooksInterfere_shouldFailBy_spec0713() {
        AtomicReference<CommunicatorHook> failing = new AtomicReference<>();
        Trial.assertFailsOnly(LAUNCHES, run(() -> (rank, inner, method, arguments) -> {
            if (inner instanceof Communicator && method.getName().equals("addHook") && rank == 0) {
                failing.compareAndSet(null, (CommunicatorHook) arguments[0]);
            }
            if (inner instanceof PreparedOperation && method.getName().equals("launch") && failing.get() != null) {
                failing.get().afterOperation(new OperationDescription("launch", "", "", -1, 0, false, ""), 0);
            }
            return proceed(inner, method, arguments);
        }));
    }

    @Test
    void tellsOnAfterRemoval_shouldFailBy_spec0713() {
        Trial.assertFailsOnly(LAUNCHES, run(() -> (rank, inner, method, arguments) -> {
            Object result = proceed(inner, method, arguments);
            return result instanceof HookRegistration ? (HookRegistration) () -> {} : result;
        }));
    }

    @Test
    void tellsOfNoReplay_shouldFailBy_spec0713() {
        assertFailsOnly(REPLAYS, hook -> new Relay(hook) {
            @Override
            public void onReplay(long sequence) {
                // not told
            }
        });
    }

    @Test
    void countsReplaysWrongly_shouldFailBy_spec0713() {
        assertFailsOnly(REPLAYS, hook -> new Relay(hook) {
            @Override
            public void onReplay(long sequence) {
                super.onReplay(sequence - 1);
            }
        });
    }

    @Test
    void tellsOfAnAbortTwice_shouldFailBy_spec0713() {
        assertFailsOnly(ABORTS, hook -> new Relay(hook) {
            @Override
            public void onAbort(String reason) {
                super.onAbort(reason);
                super.onAbort(reason);
            }
        });
    }
}
