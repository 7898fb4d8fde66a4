package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.group.WrappedRanks;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * The rules about replays of barriers, of reductions, of messages, of windows and of several communicators, and about
 * replays that are late or aborted.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("deep")
class BrokenReplaysTest {
    /** For rules that wait for it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT32),
            EnumSet.of(ReduceOp.Kind.SUM, ReduceOp.Kind.MAX, ReduceOp.Kind.PREMUL_SUM),
            3,
            Set.of(
                    Feature.PLANS,
                    Feature.RANKS_AS_THREADS,
                    Feature.POINT_TO_POINT,
                    Feature.WINDOWS,
                    Feature.GRAPH_CAPTURE,
                    Feature.ABORT));

    private static final String BRANCHES = "spec0608_graphsMayHaveBranches";
    private static final String OF_BARRIERS = "spec0610_barriersAreReplayed";
    private static final String OF_FACTORS = "spec0306_factorsAreReadByReplays";
    private static final String OF_PARTS = "spec1208_reductionsOfPartsAreReplayed";
    private static final String OF_MOVES = "spec1208_movesOfPartsAreReplayed";
    private static final String OF_MESSAGES = "spec1203_messagesAreReplayed";
    private static final String OF_WINDOWS = "spec1302_windowsAreReplayed";
    private static final String ABORTED = "spec0704_abortEndsReplays";
    private static final String OTHER = "spec0704_otherReplaysAreNamed";
    private static final String LATE_MESSAGES = "spec0704_lateReplaysOfMessagesEndTheCommunicator";
    private static final String LATE_SIGNALS = "spec0704_lateReplaysOfSignalsEndTheCommunicator";

    private static final List<String> REPLAYED =
            List.of(BRANCHES, OF_BARRIERS, OF_FACTORS, OF_PARTS, OF_MESSAGES, OF_MOVES, OF_WINDOWS);
    private static final List<String> LATE = List.of(OTHER, LATE_MESSAGES, LATE_SIGNALS);

    private static List<RuleResult> run(List<String> rules, Supplier<Interception> interceptions) {
        return Trial.run(interceptions, CAPABILITIES, TIMEOUT, rules);
    }

    @Test
    void rightReplaysKeepEveryRule() {
        run(
                        List.of(REPLAYED, LATE, List.of(ABORTED)).stream()
                                .flatMap(List::stream)
                                .toList(),
                        () -> Interception.NONE)
                .forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void capturesNothingOfAnotherCommunicator_shouldFailBy_spec0608() {
        Trial.assertFailsOnly(BRANCHES, run(REPLAYED, () -> (rank, inner, method, arguments) -> {
            boolean captured = inner instanceof Communicator communicator
                    && method.getName().equals("execute")
                    && arguments[0] instanceof CollectiveCall
                    && communicator.stream().isCapturing();
            return captured
                    ? ((Communicator) inner).execute(BarrierCall.STREAMS)
                    : WrappedRanks.invoke(inner, method, arguments);
        }));
    }

    /** Launches a graph with a kind of call only once. */
    private static Interception launchingOnce(Class<?> call) {
        LastPrepared prepared = new LastPrepared();
        Set<Object> launched = ConcurrentHashMap.newKeySet();
        return (rank, inner, method, arguments) -> {
            prepared.see(rank, method);
            boolean again = inner instanceof Graph
                    && method.getName().equals("launch")
                    && prepared.is(rank, call)
                    && !launched.add(inner);
            return again ? null : WrappedRanks.invoke(inner, method, arguments);
        };
    }

    @Test
    void replaysBarriersOnce_shouldFailBy_spec0610() {
        Trial.assertFailsOnly(OF_BARRIERS, run(REPLAYED, () -> launchingOnce(BarrierCall.class)));
    }

    @Test
    void replaysReductionsOfPartsOnce_shouldFailBy_spec1208() {
        Trial.assertFailsOnly(OF_PARTS, run(REPLAYED, () -> launchingOnce(ReduceScatterCall.class)));
    }

    /** Has in memory at each replay the factor that was there at the capture. */
    private static Interception readingFactorsOnce() {
        Map<Integer, DeviceBuffer> factors = new ConcurrentHashMap<>();
        Map<Integer, byte[]> captured = new ConcurrentHashMap<>();
        return (rank, inner, method, arguments) -> {
            DeviceBuffer factor = factors.get(rank);
            if (method.getName().equals("prepare")) {
                factors.remove(rank);
                if (arguments[0] instanceof CollectiveCall call) {
                    call.op().memory().ifPresent(memory -> factors.put(rank, memory));
                }
            } else if (factor != null
                    && inner instanceof Stream
                    && method.getName().equals("capture")) {
                byte[] bytes = new byte[Math.toIntExact(factor.byteSize())];
                factor.copyTo(MemorySegment.ofArray(bytes));
                captured.put(rank, bytes);
            } else if (factor != null
                    && inner instanceof Graph
                    && method.getName().equals("launch")) {
                factor.copyFrom(MemorySegment.ofArray(captured.get(rank)));
            }
            return WrappedRanks.invoke(inner, method, arguments);
        };
    }

    @Test
    void readsFactorsWhenItCaptures_shouldFailBy_spec0306() {
        Trial.assertFailsOnly(OF_FACTORS, run(REPLAYED, BrokenReplaysTest::readingFactorsOnce));
    }

    @Test
    void replaysMessagesOnce_shouldFailBy_spec1203() {
        Trial.assertFailsOnly(OF_MESSAGES, run(REPLAYED, () -> launchingOnce(TransferCall.class)));
    }

    /** Launches a graph only once whose rank has prepared a move of parts last. */
    private static Interception movingPartsOnce() {
        Set<Integer> ofParts = ConcurrentHashMap.newKeySet();
        Set<Object> launched = ConcurrentHashMap.newKeySet();
        return (rank, inner, method, arguments) -> {
            if (method.getName().equals("prepare")) {
                boolean parts = arguments[0] instanceof TransferCall call
                        && call.partOf().isPresent();
                boolean _ = parts ? ofParts.add(rank) : ofParts.remove(rank);
            }
            boolean again = inner instanceof Graph
                    && method.getName().equals("launch")
                    && ofParts.contains(rank)
                    && !launched.add(inner);
            return again ? null : WrappedRanks.invoke(inner, method, arguments);
        };
    }

    @Test
    void replaysMovesOfPartsOnce_shouldFailBy_spec1208() {
        Trial.assertFailsOnly(OF_MOVES, run(REPLAYED, BrokenReplaysTest::movingPartsOnce));
    }

    @Test
    void replaysPutsOnce_shouldFailBy_spec1302() {
        Trial.assertFailsOnly(OF_WINDOWS, run(REPLAYED, () -> launchingOnce(WindowCall.class)));
    }

    /** Forgets why a communicator was aborted on whose stream a replay was. */
    private static Interception withoutReasonOfReplays() {
        Set<Integer> replaying = ConcurrentHashMap.newKeySet();
        return (rank, inner, method, arguments) -> {
            if (inner instanceof Graph && method.getName().equals("launch")) {
                replaying.add(rank);
            }
            boolean barrier = inner instanceof Communicator && method.getName().equals("barrier");
            boolean behindReplay = barrier && replaying.remove(rank);
            try {
                return WrappedRanks.invoke(inner, method, arguments);
            } catch (AbortedException e) {
                throw behindReplay ? new AbortedException("aborted", e) : e;
            }
        };
    }

    @Test
    void saysNotWhyReplaysEnd_shouldFailBy_spec0704() {
        Trial.assertFailsOnly(ABORTED, run(List.of(ABORTED), BrokenReplaysTest::withoutReasonOfReplays));
    }

    /** Names nobody where a rank does not replay a kind of call. */
    private static Interception namingNobody(Class<?> call) {
        LastPrepared prepared = new LastPrepared();
        return (rank, inner, method, arguments) -> {
            prepared.see(rank, method);
            try {
                return WrappedRanks.invoke(inner, method, arguments);
            } catch (OperationTimeoutException e) {
                throw inner instanceof Communicator && prepared.is(rank, call)
                        ? new OperationTimeoutException(String.valueOf(e.getMessage()), List.of())
                        : e;
            }
        };
    }

    @Test
    void blamesNobodyForAnotherReplay_shouldFailBy_spec0704() {
        Trial.assertFailsOnly(OTHER, run(LATE, () -> namingNobody(BarrierCall.class)));
    }

    @Test
    void blamesNobodyForLateMessages_shouldFailBy_spec0704() {
        Trial.assertFailsOnly(LATE_MESSAGES, run(LATE, () -> namingNobody(TransferCall.class)));
    }

    @Test
    void blamesNobodyForLateSignals_shouldFailBy_spec0704() {
        Trial.assertFailsOnly(LATE_SIGNALS, run(LATE, () -> namingNobody(WindowCall.class)));
    }
}
