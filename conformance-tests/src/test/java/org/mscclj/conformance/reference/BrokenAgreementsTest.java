package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mscclj.conformance.reference.Interception.proceed;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * The rules about what ranks agree on, how futures and communicators end, and what messages and windows are made of:
 * each is broken by a wrong implementation, and by no other.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("deep")
@Timeout(600) // each test runs a suite, and several run at once
class BrokenAgreementsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** For those that wait in vain. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.of(DataType.INT32, DataType.FLOAT32),
            EnumSet.of(ReduceOp.Kind.SUM, ReduceOp.Kind.MAX),
            4,
            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.POINT_TO_POINT, Feature.WINDOWS, Feature.ABORT));

    private static final List<String> RULES = List.of(
            "spec0603_awaitOrdersAStream",
            "spec0603_futuresEndWithTheirOperation",
            "spec0603_lastLaunchesAreWork",
            "spec0611_splitsKeepTheOrderOfTheirLists",
            "spec0611_coloursAreSplit",
            "spec0611_meshesJoinNeighbours",
            "spec0702_missingRanksAreNamed",
            "spec0704_abortEndsFutures",
            "spec0704_abortEndsMessages",
            "spec0704_abortEndsAccessesOfWindows",
            "spec0704_abortEndsSetUp",
            "spec0706_failuresAreValues",
            "spec0706_theFirstReasonStays",
            "spec0707_closedRanksAreNamed",
            "spec0707_closedSendersAreNamed",
            "spec0707_closedSignallersAreNamed",
            "spec0711_shrunkCommunicatorsWork",
            "spec0714_survivorsContinue",
            "spec0601_callsRunOnTheStreamTheyName",
            "spec0801_memoryIsRegisteredAfterwards",
            "spec0802_knownKindsOnlyLaunch",
            "spec0802_newSizesOnlyLaunch",
            "spec0802_warmedClassesOnlyLaunch",
            "spec0802_communicatorsCrossAtNewSizes",
            "spec0803_placesAreEqual",
            "spec0804_emptyBuffersHaveNoPlace",
            "spec0805_ranksChooseAlike",
            "spec0808_otherHintsAreIgnored",
            "spec0808_strictHintsAreRefused",
            "spec1204_emptyAndOwnMessages",
            "spec1205_messagesInAnyMemory",
            "spec1206_lanesAreReady",
            "spec1301_windowsOfAnySizes");

    private static List<RuleResult> run(Supplier<Interception> interceptions, Duration timeout) {
        return Trial.run(interceptions, CAPABILITIES, timeout, RULES);
    }

    private static void assertFailsOnly(String rule, Interception interception) {
        Trial.assertFailsOnly(rule, run(() -> interception, TIMEOUT));
    }

    /** Whether it is a call of a communicator. */
    private static boolean calls(Object inner, Method method, String name) {
        return inner instanceof Communicator && method.getName().equals(name);
    }

    @Test
    void rightRanksKeepEveryRule() {
        run(() -> Interception.NONE, TIMEOUT)
                .forEach(result -> assertEquals(Outcome.PASSED, result.outcome(), result::text));
    }

    @Test
    void sortsTheListsOfSplits_shouldFailBy_spec0611() {
        assertFailsOnly("spec0611_splitsKeepTheOrderOfTheirLists", (rank, inner, method, arguments) -> {
            if (calls(inner, method, "split") && arguments[0] instanceof List<?> ranks) {
                return proceed(inner, method, ranks.stream().sorted().toList(), arguments[1]);
            }
            return proceed(inner, method, arguments);
        });
    }

    @Test
    void ignoresTheKeysOfColours_shouldFailBy_spec0611() {
        assertFailsOnly("spec0611_coloursAreSplit", (rank, inner, method, arguments) -> {
            if (calls(inner, method, "split") && arguments[0] instanceof Integer) {
                Object[] changed = arguments.clone();
                changed[1] = 0;
                return proceed(inner, method, changed);
            }
            return proceed(inner, method, arguments);
        });
    }

    @Test
    void turnsColumnsRound_shouldFailBy_spec0611() {
        assertFailsOnly("spec0611_meshesJoinNeighbours", (rank, inner, method, arguments) -> {
            if (calls(inner, method, "split")
                    && arguments[0] instanceof List<?> ranks
                    && ((String) arguments[1]).endsWith(".column")) {
                return proceed(inner, method, ranks.reversed(), arguments[1]);
            }
            return proceed(inner, method, arguments);
        });
    }

    @Test
    void ordersNoStream_shouldFailBy_spec0603() {
        assertFailsOnly(
                "spec0603_awaitOrdersAStream",
                (rank, inner, method, arguments) ->
                        inner instanceof Work && method.getName().equals("await")
                                ? null
                                : proceed(inner, method, arguments));
    }

    @Test
    void givesFuturesThatHaveEnded_shouldFailBy_spec0603() {
        assertFailsOnly(
                "spec0603_futuresEndWithTheirOperation",
                (rank, inner, method, arguments) -> method.getName().equals("toCompletableFuture")
                        ? CompletableFuture.completedFuture(null)
                        : proceed(inner, method, arguments));
    }

    @Test
    void forgetsTheTimeoutsOfFutures_shouldFailBy_spec0603() {
        assertFailsOnly(
                "spec0603_futuresEndWithTheirOperation",
                (rank, inner, method, arguments) -> calls(inner, method, "execute")
                                && arguments.length == 1
                                && arguments[0] instanceof CollectiveCall call
                        ? proceed(inner, method, call.timeout(TIMEOUT))
                        : proceed(inner, method, arguments));
    }

    @Test
    void givesTheFirstLaunchAsTheLast_shouldFailBy_spec0603() {
        Map<Object, Object> first = new ConcurrentHashMap<>();
        assertFailsOnly("spec0603_lastLaunchesAreWork", (rank, inner, method, arguments) -> {
            if (method.getName().equals("lastLaunch")) {
                Object known = first.get(inner);
                Object last = known == null ? proceed(inner, method, arguments) : known;
                first.putIfAbsent(inner, last);
                return last;
            }
            return proceed(inner, method, arguments);
        });
    }

    @Test
    void endsFuturesOfWhatIsAborted_shouldFailBy_spec0704() {
        assertFailsOnly("spec0704_abortEndsFutures", (rank, inner, method, arguments) -> {
            Object result = proceed(inner, method, arguments);
            return result instanceof CompletableFuture<?> future
                    ? future.exceptionallyCompose(failure -> failure instanceof AbortedException
                            ? CompletableFuture.completedFuture(null)
                            : CompletableFuture.failedFuture(failure))
                    : result;
        });
    }

    @Test
    void keepsTheLastReason_shouldFailBy_spec0706() {
        AtomicReference<String> reason = new AtomicReference<>("");
        assertFailsOnly("spec0706_theFirstReasonStays", (rank, inner, method, arguments) -> {
            if (calls(inner, method, "abort")) {
                reason.set((String) arguments[0]);
            }
            try {
                return proceed(inner, method, arguments);
            } catch (AbortedException e) {
                throw calls(inner, method, "barrier") ? new AbortedException(reason.get(), e) : e;
            }
        });
    }

    @Test
    void forgetsItsFailureWhenItIsClosed_shouldFailBy_spec0706() {
        Set<Object> closed = ConcurrentHashMap.newKeySet();
        assertFailsOnly("spec0706_failuresAreValues", (rank, inner, method, arguments) -> {
            if (calls(inner, method, "close")) {
                closed.add(inner);
            }
            return calls(inner, method, "failure") && closed.contains(inner)
                    ? Optional.empty()
                    : proceed(inner, method, arguments);
        });
    }

    @Test
    void waitsOnInShrinkAfterAnAbort_shouldFailBy_spec0704() {
        assertFailsOnly("spec0704_abortEndsSetUp", deafToAbortsIn("shrink"));
    }

    @Test
    void waitsOnInRequireEqualAfterAnAbort_shouldFailBy_spec0704() {
        assertFailsOnly("spec0704_abortEndsSetUp", deafToAbortsIn("requireEqual"));
    }

    /** Such a call of a communicator that is aborted times out. */
    private static Interception deafToAbortsIn(String name) {
        return (rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (AbortedException e) {
                throw calls(inner, method, name)
                        ? new OperationTimeoutException(String.valueOf(e.getMessage()), List.of())
                        : e;
            }
        };
    }

    @Test
    void takesAnotherRankForClosed_shouldFailBy_spec0707() {
        assertFailsOnly("spec0707_closedRanksAreNamed", (rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (RankLostException e) {
                throw new RankLostException(e.rank() - 1, String.valueOf(e.getMessage()));
            }
        });
    }

    @Test
    void waitsOnForLaunchesOfAClosedRank_shouldFailBy_spec0707() {
        assertFailsOnly("spec0707_closedRanksAreNamed", (rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (RankLostException e) {
                throw inner instanceof PreparedOperation
                        ? new OperationTimeoutException(String.valueOf(e.getMessage()), List.of(e.rank()))
                        : e;
            }
        });
    }

    @Test
    void givesFuturesThatNameAnotherRank_shouldFailBy_spec0707() {
        assertFailsOnly("spec0707_closedRanksAreNamed", (rank, inner, method, arguments) -> {
            Object result = proceed(inner, method, arguments);
            return result instanceof CompletableFuture<?> future
                    ? future.exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                            failure instanceof RankLostException lost
                                    ? new RankLostException(lost.rank() - 1, String.valueOf(lost.getMessage()))
                                    : failure))
                    : result;
        });
    }

    @Test
    void abortsWhereARankHasClosed_shouldFailBy_spec0707() {
        assertFailsOnly("spec0707_closedRanksAreNamed", (rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (RankLostException e) {
                ((Communicator) inner).abort("a rank has closed");
                throw e;
            }
        });
    }

    @Test
    void waitsOnForMessagesOfAClosedRank_shouldFailBy_spec0707() {
        assertFailsOnly("spec0707_closedSendersAreNamed", waitingOnFor("receive"));
    }

    @Test
    void waitsOnForSignalsOfAClosedRank_shouldFailBy_spec0707() {
        assertFailsOnly("spec0707_closedSignallersAreNamed", waitingOnFor("wait for a signal"));
    }

    /** Where a rank has closed, such works time out. */
    private static Interception waitingOnFor(String words) {
        return (rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (RankLostException e) {
                String message = String.valueOf(e.getMessage());
                throw inner instanceof Work && message.startsWith(words)
                        ? new OperationTimeoutException(message, List.of(e.rank()))
                        : e;
            }
        };
    }

    @Test
    void namesNobodyWhoIsMissing_shouldFailBy_spec0702() {
        assertFailsOnly("spec0702_missingRanksAreNamed", (rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (OperationTimeoutException e) {
                throw inner instanceof PreparedOperation
                        ? new OperationTimeoutException(String.valueOf(e.getMessage()), List.of())
                        : e;
            }
        });
    }

    @Test
    void goesOnWhereItWasShrunk_shouldFailBy_spec0711() {
        assertFailsOnly("spec0711_shrunkCommunicatorsWork", (rank, inner, method, arguments) -> {
            Object result = proceed(inner, method, arguments);
            if (calls(inner, method, "shrink")) {
                ((Communicator) result).abort("as the one that it was made of");
            }
            return result;
        });
    }

    @Test
    void splitsThreadsThatAreReconfigured_shouldFailBy_spec0714() {
        assertFailsOnly(
                "spec0714_survivorsContinue",
                (rank, inner, method, arguments) -> calls(inner, method, "reconfigure")
                        ? ((Communicator) inner).split(List.of(rank), "alone").orElseThrow()
                        : proceed(inner, method, arguments));
    }

    /** Ends what one kind of call has launched without the reason. */
    private static Interception withoutReason(Class<?> origin, Class<?> call) {
        Set<Object> launched = ConcurrentHashMap.newKeySet();
        return (rank, inner, method, arguments) -> {
            try {
                Object result = proceed(inner, method, arguments);
                if (result instanceof Work
                        && origin.isInstance(inner)
                        && arguments.length > 0
                        && call.isInstance(arguments[0])) {
                    launched.add(result);
                }
                return result;
            } catch (AbortedException e) {
                throw launched.contains(inner) ? new AbortedException("aborted", e) : e;
            }
        };
    }

    @Test
    void saysNotWhyMessagesEnd_shouldFailBy_spec0704() {
        assertFailsOnly("spec0704_abortEndsMessages", withoutReason(Communicator.class, TransferCall.class));
    }

    @Test
    void saysNotWhyWaitsOfWindowsEnd_shouldFailBy_spec0704() {
        assertFailsOnly("spec0704_abortEndsAccessesOfWindows", withoutReason(Window.class, Object.class));
    }

    @Test
    void ignoresTheStreamOfCalls_shouldFailBy_spec0601() {
        assertFailsOnly(
                "spec0601_callsRunOnTheStreamTheyName",
                (rank, inner, method, arguments) -> calls(inner, method, "execute")
                                && arguments.length == 2
                                && arguments[0] instanceof CollectiveCall call
                        ? ((Communicator) inner).execute(call)
                        : proceed(inner, method, arguments));
    }

    @Test
    void registersNothing_shouldFailBy_spec0801() {
        assertFailsOnly(
                "spec0801_memoryIsRegisteredAfterwards",
                (rank, inner, method, arguments) ->
                        calls(inner, method, "register") ? null : proceed(inner, method, arguments));
    }

    /** A call is known if the same object was passed before, and was not refused. */
    @Test
    void meetsAtKnownCalls_shouldFailBy_spec0802() {
        Trial.assertFailsOnly(
                "spec0802_knownKindsOnlyLaunch",
                run(
                        () -> {
                            Map<Object, Set<Object>> known = new ConcurrentHashMap<>();
                            return (rank, inner, method, arguments) -> {
                                if (!calls(inner, method, "execute")
                                        || !(arguments[0] instanceof CollectiveCall call)
                                        || call.options().timeout().isPresent()
                                        || ((Communicator) inner).name().equals("conformance-second")) {
                                    return proceed(inner, method, arguments);
                                }
                                Set<Object> before = known.computeIfAbsent(
                                        inner, _ -> Collections.newSetFromMap(new IdentityHashMap<>()));
                                if (before.contains(call)) {
                                    ((Communicator) inner).barrier();
                                }
                                Object result = proceed(inner, method, arguments);
                                before.add(call);
                                return result;
                            };
                        },
                        SHORT));
    }

    /** A size that is smaller than the largest one of its communicator, and that the communicator has not seen. */
    private static boolean isNewSize(Map<Object, Set<Long>> sizes, Object inner, Method method, Object[] arguments) {
        if (!calls(inner, method, "execute")
                || !(arguments[0] instanceof CollectiveCall call)
                || call.options().timeout().isPresent()) {
            return false;
        }
        Set<Long> seen = sizes.computeIfAbsent(inner, _ -> new TreeSet<>());
        long bytes = call.input().byteSize();
        return seen.add(bytes) && seen.stream().anyMatch(other -> other > bytes);
    }

    @Test
    void meetsAtNewSizes_shouldFailBy_spec0802() {
        Trial.assertFailsOnly(
                "spec0802_newSizesOnlyLaunch",
                run(
                        () -> {
                            Map<Object, Set<Long>> sizes = new ConcurrentHashMap<>();
                            return (rank, inner, method, arguments) -> {
                                if (isNewSize(sizes, inner, method, arguments)
                                        && !((Communicator) inner).name().equals("conformance-second")) {
                                    ((Communicator) inner).barrier();
                                }
                                return proceed(inner, method, arguments);
                            };
                        },
                        SHORT));
    }

    @Test
    void warmsNothingUp_shouldFailBy_spec0802() {
        Trial.assertFailsOnly(
                "spec0802_warmedClassesOnlyLaunch",
                run(
                        () -> (rank, inner, method, arguments) ->
                                calls(inner, method, "warmUp") ? null : proceed(inner, method, arguments),
                        SHORT));
    }

    @Test
    void joinsOtherCommunicatorsAtNewSizes_shouldFailBy_spec0802() {
        Trial.assertFailsOnly(
                "spec0802_communicatorsCrossAtNewSizes",
                run(
                        () -> {
                            Map<Object, Set<Long>> sizes = new ConcurrentHashMap<>();
                            Map<Integer, Map<Object, Work>> launched = new ConcurrentHashMap<>();
                            return (rank, inner, method, arguments) -> {
                                Map<Object, Work> works =
                                        launched.computeIfAbsent(rank, _ -> new ConcurrentHashMap<>());
                                if (isNewSize(sizes, inner, method, arguments)) {
                                    works.forEach((other, work) -> {
                                        if (!other.equals(inner)) {
                                            work.join();
                                        }
                                    });
                                }
                                Object result = proceed(inner, method, arguments);
                                if (result instanceof Work work && calls(inner, method, "execute")) {
                                    works.put(inner, work);
                                }
                                return result;
                            };
                        },
                        SHORT));
    }

    @Test
    void takesAnyPlaces_shouldFailBy_spec0803() {
        assertFailsOnly("spec0803_placesAreEqual", (rank, inner, method, arguments) -> {
            try {
                return proceed(inner, method, arguments);
            } catch (InvalidArgumentException e) {
                boolean places = calls(inner, method, "execute")
                        && arguments[0] instanceof CollectiveCall call
                        && call.algorithm().isEmpty()
                        && call.options().hints().isEmpty()
                        && call.input().byteSize() < 256;
                if (!places) {
                    throw e;
                }
                return ((Communicator) inner).execute(BarrierCall.STREAMS);
            }
        });
    }

    @Test
    void refusesEmptyBuffers_shouldFailBy_spec0804() {
        assertFailsOnly("spec0804_emptyBuffersHaveNoPlace", (rank, inner, method, arguments) -> {
            if (calls(inner, method, "execute")
                    && arguments[0] instanceof CollectiveCall call
                    && call.input().byteSize() == 0) {
                throw new InvalidArgumentException("there is nothing to do");
            }
            return proceed(inner, method, arguments);
        });
    }

    @Test
    void choosesForItself_shouldFailBy_spec0805() {
        assertFailsOnly(
                "spec0805_ranksChooseAlike",
                (rank, inner, method, arguments) ->
                        inner instanceof Work && method.getName().equals("algorithm")
                                ? proceed(inner, method, arguments) + "-" + rank
                                : proceed(inner, method, arguments));
    }

    @Test
    void refusesHintsThatItDoesNotKnow_shouldFailBy_spec0808() {
        assertFailsOnly("spec0808_otherHintsAreIgnored", (rank, inner, method, arguments) -> {
            if (arguments.length > 0 && arguments[0] instanceof CollectiveCall call) {
                for (String key : call.options().hints().asMap().keySet()) {
                    throw new InvalidArgumentException("hint " + key + " is not known");
                }
            }
            return proceed(inner, method, arguments);
        });
    }

    @Test
    void ignoresHintsThatAreStrict_shouldFailBy_spec0808() {
        assertFailsOnly(
                "spec0808_strictHintsAreRefused",
                (rank, inner, method, arguments) -> arguments.length > 0
                                && arguments[0] instanceof CollectiveCall call
                                && !call.options().hints().isEmpty()
                        ? proceed(inner, method, call.options(CallOptions.NONE))
                        : proceed(inner, method, arguments));
    }

    @Test
    void leavesEmptyMessagesOut_shouldFailBy_spec1204() {
        assertFailsOnly("spec1204_emptyAndOwnMessages", (rank, inner, method, arguments) -> {
            boolean message = calls(inner, method, "send") || calls(inner, method, "receive");
            return message && ((DeviceBuffer) arguments[0]).byteSize() == 0
                    ? ((Communicator) inner).execute(TransferCall.batch())
                    : proceed(inner, method, arguments);
        });
    }

    @Test
    void errsInUnalignedMemory_shouldFailBy_spec1205() {
        assertFailsOnly("spec1205_messagesInAnyMemory", (rank, inner, method, arguments) -> {
            if (calls(inner, method, "execute") && arguments[0] instanceof TransferCall call) {
                for (TransferCall.Message message : call.messages()) {
                    if (message.sends() && message.buffer().address() % 4 != 0) {
                        MemorySegment bytes = message.buffer().segment();
                        bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) ~bytes.get(ValueLayout.JAVA_BYTE, 0));
                    }
                }
            }
            return proceed(inner, method, arguments);
        });
    }

    @Test
    void connectsAllRanksWhenOneSends_shouldFailBy_spec1206() {
        Trial.assertFailsOnly(
                "spec1206_lanesAreReady",
                run(
                        () -> (rank, inner, method, arguments) -> {
                            if (calls(inner, method, "send")
                                    && ((Communicator) inner).name().equals("conformance-second")) {
                                ((Communicator) inner).barrier();
                            }
                            return proceed(inner, method, arguments);
                        },
                        SHORT));
    }

    @Test
    void takesItsOwnSizeForThatOfOthers_shouldFailBy_spec1301() {
        assertFailsOnly(
                "spec1301_windowsOfAnySizes",
                (rank, inner, method, arguments) ->
                        inner instanceof Window && method.getName().equals("byteSize")
                                ? proceed(inner, method, rank)
                                : proceed(inner, method, arguments));
    }
}
