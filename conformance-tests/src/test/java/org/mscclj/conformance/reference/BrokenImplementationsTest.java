package org.mscclj.conformance.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.suite.Suite;
import org.mscclj.conformance.suite.SuiteOptions;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/**
 * The suite itself: a right implementation keeps every rule, and each wrong one breaks exactly the rule that it is
 * wrong about, among those of {@link Trial#forDefect}.
 */
@Tag("deep")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600) // each test runs a suite, and several run at once
class BrokenImplementationsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** For those that never get beyond the first rule. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final Capabilities CAPABILITIES = new Capabilities(
            EnumSet.allOf(DataType.class),
            EnumSet.allOf(ReduceOp.Kind.class),
            8,
            Set.of(
                    Feature.PLANS,
                    Feature.RANKS_AS_THREADS,
                    Feature.HOST_CHANNELS,
                    Feature.HOST_MEMORY,
                    Feature.MULTICAST,
                    Feature.POINT_TO_POINT,
                    Feature.WINDOWS,
                    Feature.ABORT));

    private static List<RuleResult> run(RankGroups groups, Capabilities capabilities) {
        return Trial.run(Mode.THREADS, groups, capabilities, TIMEOUT, rules());
    }

    /** The same with the rules on which a defect is tried. */
    private static List<RuleResult> run(RankGroups groups, Capabilities capabilities, String broken) {
        return Trial.run(Mode.THREADS, groups, capabilities, TIMEOUT, Trial.forDefect(rules(), broken));
    }

    /** Without the rules about faults, which {@link BrokenFaultsTest} is about, and which take long. */
    private static List<Rule> rules() {
        List<Rule> rules = new ArrayList<>(Rules.all());
        rules.removeAll(Rules.ofFaults());
        rules.removeIf(ReferenceGroup::lacks);
        return rules;
    }

    /** Threads have neither kernels nor graphs, so that rules about those are skipped here. */
    private static boolean isDeclared(RuleResult result) {
        return CAPABILITIES
                .features()
                .containsAll(result.rule().feature().stream().toList());
    }

    private static void assertFailsOnly(String rule, IntFunction<Defect> defect) {
        assertFailsOnly(rule, Mode.THREADS, ReferenceGroup.with(defect, TIMEOUT), CAPABILITIES, TIMEOUT);
    }

    private static void assertFailsOnly(
            String rule, Mode mode, RankGroups groups, Capabilities capabilities, Duration timeout) {
        List<Rule> rules = Trial.forDefect(rules(), rule);
        Trial.assertFailsOnly(rule, Trial.run(mode, groups, capabilities, timeout, rules));
    }

    private static void assertNeverEnds(IntFunction<Defect> defect) {
        assertFailsOnly("spec0605_launchesEnd", Mode.THREADS, ReferenceGroup.with(defect, SHORT), CAPABILITIES, SHORT);
    }

    @Test
    void aRightImplementationKeepsEveryRule() {
        List<Rule> rules = new ArrayList<>(Rules.all());
        rules.removeIf(ReferenceGroup::lacks);
        List<RuleResult> results = Trial.run(
                Mode.THREADS, ReferenceGroup.with(rank -> new Defect(), TIMEOUT), CAPABILITIES, TIMEOUT, rules);
        results.stream()
                .filter(BrokenImplementationsTest::isDeclared)
                .forEach(result -> assertTrue(
                        result.outcome() == Outcome.PASSED || result.outcome() == Outcome.UNTESTED, result::text));
        assertTrue(results.size() > 30, () -> "only " + results.size() + " rules");
    }

    @Test
    void whatRefusesEveryCallHasProvedNothing() {
        SuiteOptions options = SuiteOptions.sample()
                .modes(List.of(Mode.THREADS))
                .depth(Depth.QUICK)
                .timeout(TIMEOUT);
        RankGroups groups = ReferenceGroup.with(
                rank -> new Defect() {
                    @Override
                    CollectiveCall replace(CollectiveCall call) {
                        throw new UnsupportedException("this implementation can do nothing");
                    }
                },
                TIMEOUT);
        try (Suite suite = new Suite(Mode.THREADS, options, groups, CAPABILITIES)) {
            suite.run(result -> {});
            assertFalse(suite.unexplained().isEmpty());
        }
    }

    @Test
    void dropsTheLastChunk_shouldFailBy_spec0902() {
        assertFailsOnly("spec0902_everyElementIsWritten", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                int from = launch.result().length - launch.result().length / launch.world();
                System.arraycopy(launch.before(), from, launch.result(), from, launch.result().length - from);
            }
        });
    }

    @Test
    void swapsTwoChunks_shouldFailBy_spec0903() {
        assertFailsOnly("spec0903_everyElementIsInItsPlace", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                int chunk = launch.result().length / launch.world();
                if (launch.world() > 1) {
                    long[] first = Arrays.copyOf(launch.result(), chunk);
                    System.arraycopy(launch.result(), chunk, launch.result(), 0, chunk);
                    System.arraycopy(first, 0, launch.result(), chunk, chunk);
                }
            }
        });
    }

    @Test
    void addsWrong_shouldFailBy_spec0901() {
        assertFailsOnly("spec0901_resultsAreRight", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                if (launch.call().collective().reduces() && launch.result().length > 0) {
                    launch.result()[launch.result().length / 2] ^=
                            1L << (Byte.SIZE * launch.call().type().byteSize() - 2);
                }
            }
        });
    }

    @Test
    void sumsInPlaceOfMin_shouldFailBy_spec0307() {
        assertFailsOnly("spec0307_neverAnotherOperation", rank -> new Defect() {
            @Override
            CollectiveCall replace(CollectiveCall call) {
                return call.op().equals(ReduceOp.MIN) ? call.op(ReduceOp.SUM) : call;
            }
        });
    }

    @Test
    void cutsLargeMessages_shouldFailBy_spec1201() {
        assertFailsOnly("spec1201_messagesArrive", rank -> new Defect() {
            @Override
            TransferCall replace(TransferCall call) {
                return Defect.withMessages(
                        call,
                        call.messages().stream()
                                .map(message -> new TransferCall.Message(
                                        message.sends(), withoutEnd(message.buffer()), message.peer()))
                                .toList());
            }
        });
    }

    private static DeviceBuffer withoutEnd(DeviceBuffer buffer) {
        return buffer.byteSize() > 1 << 20 ? buffer.slice(0, buffer.byteSize() - 1) : buffer;
    }

    @Test
    void sendsWhatIsExpected_shouldFailBy_spec1201_told() {
        assertFailsOnly("spec1201_unequalSizesAreReported", rank -> sendingOnly(3000, 5000));
    }

    @Test
    void sendsWhatIsExpected_shouldFailBy_spec1201_silent() {
        assertFailsOnly("spec1201_unequalSizesAreNotSilent", rank -> sendingOnly(3000, 7000));
    }

    /** Sends only the beginning of messages of one size. */
    private static Defect sendingOnly(long bytes, long size) {
        return new Defect() {
            @Override
            TransferCall replace(TransferCall call) {
                return Defect.withMessages(
                        call,
                        call.messages().stream()
                                .map(message -> message.buffer().byteSize() == size
                                        ? new TransferCall.Message(
                                                message.sends(),
                                                message.buffer().slice(0, bytes),
                                                message.peer())
                                        : message)
                                .toList());
            }
        };
    }

    @Test
    void writesBehindTheRoomForAMessageThatIsTooLarge_shouldFailBy_spec1201() {
        assertFailsOnly("spec1201_unequalSizesAreReported", rank -> new Defect() {
            @Override
            TransferCall replace(TransferCall call) {
                call.messages().stream()
                        .filter(message -> !message.sends() && message.buffer().byteSize() == 3000)
                        .forEach(message -> Memory.writePast(message.buffer()));
                return call;
            }
        });
    }

    @Test
    void receivesTheLastMessageFirst_shouldFailBy_spec1202() {
        assertFailsOnly("spec1202_messagesKeepTheirOrder", rank -> new Defect() {
            @Override
            TransferCall replace(TransferCall call) {
                List<TransferCall.Message> messages = new ArrayList<>(call.messages());
                List<TransferCall.Message> received =
                        messages.stream().filter(message -> !message.sends()).toList();
                messages.removeAll(received);
                messages.addAll(received.reversed());
                return Defect.withMessages(call, messages);
            }
        });
    }

    @Test
    void namesNobodyWhoSendsLate_shouldFailBy_spec1207() {
        assertFailsOnly("spec1207_missingSendersAreNamed", rank -> new Defect() {
            @Override
            List<Integer> missing(List<Integer> ranks) {
                return List.of();
            }
        });
    }

    @Test
    void namesTheReceiverToo_shouldFailBy_spec1207() {
        assertFailsOnly("spec1207_missingSendersAreNamed", rank -> new Defect() {
            @Override
            List<Integer> missing(List<Integer> ranks) {
                return Stream.concat(Stream.of(0), ranks.stream()).toList();
            }
        });
    }

    @Test
    void closesWindowsThatAreUsed_shouldFailBy_spec1306() {
        assertFailsOnly("spec1306_closingIsRefusedDuringUse", rank -> new Defect() {
            @Override
            void cannotClose(InvalidArgumentException refusal) {
                // nobody is told
            }
        });
    }

    @Test
    void scattersNothingOfOneBuffer_shouldFailBy_spec1208() {
        assertFailsOnly("spec1208_partsOfAnySizesMove", rank -> new Defect() {
            @Override
            TransferCall replace(TransferCall call) {
                boolean ofOneBuffer = call.type().isPresent()
                        && call.partOf()
                                .filter(part -> part.operation().equals(Collective.SCATTER.label()))
                                .isPresent();
                return ofOneBuffer ? withMessages(call, List.of()) : call;
            }
        });
    }

    @Test
    void addsUpAllPartsWhereOthersAreWanted_shouldFailBy_spec1208() {
        assertFailsOnly("spec1208_partsOfAnySizesAreReduced", rank -> new Defect() {
            @Override
            ReduceScatterCall replace(ReduceScatterCall call) {
                return new ReduceScatterCall(call.inputs(), call.output(), call.type(), ReduceOp.SUM);
            }
        });
    }

    @Test
    void putsLargePartsElsewhere_shouldFailBy_spec1303() {
        assertFailsOnly("spec1303_putsAreSeenBehindASignal", rank -> new Defect() {
            @Override
            WindowCall replace(WindowCall call, Window window) {
                return call.kind() == WindowCall.Kind.PUT && window.byteSize(call.rank()) > 1 << 16
                        ? WindowCall.put(call.buffer().orElseThrow(), call.rank(), call.offset() - 1)
                        : call;
            }
        });
    }

    /** Right within a node: there the last byte of a put arrives, too. */
    @Test
    void cutsPutsToOtherNodes_shouldFailBy_spec1303() {
        RankGroups groups = ReferenceGroup.with(
                rank -> new Defect() {
                    @Override
                    WindowCall replace(WindowCall call, Window window) {
                        boolean large = call.kind() == WindowCall.Kind.PUT && window.byteSize(call.rank()) > 1 << 16;
                        return large && isOnAnotherNode(window, call.rank())
                                ? WindowCall.put(
                                        call.buffer()
                                                .map(buffer -> buffer.slice(0, buffer.byteSize() - 1))
                                                .orElseThrow(),
                                        call.rank(),
                                        call.offset())
                                : call;
                    }
                },
                TIMEOUT);
        assertFailsOnly("spec1303_putsAreSeenBehindASignal", Mode.NODES, groups, CAPABILITIES, TIMEOUT);
    }

    private static boolean isOnAnotherNode(Window window, int rank) {
        try {
            DeviceBuffer _ = window.mapRemote(rank);
            return false;
        } catch (UnsupportedException _) {
            return true;
        }
    }

    @Test
    void waitsForNoSignal_shouldFailBy_spec1304() {
        assertFailsOnly("spec1304_signalsAreCounted", rank -> new Defect() {
            @Override
            WindowCall replace(WindowCall call, Window window) {
                return call.kind() == WindowCall.Kind.WAIT_SIGNAL && window.byteSize(rank) == 64
                        ? WindowCall.put(window.memory(), rank, 0)
                        : call;
            }
        });
    }

    @Test
    void comparesUnsignedAsSigned_shouldFailBy_spec0302() {
        assertFailsOnly("spec0302_integersWrapAndUnsignedIsUnsigned", rank -> new Defect() {
            @Override
            CollectiveCall replace(CollectiveCall call) {
                boolean compares = call.op().equals(ReduceOp.MIN) || call.op().equals(ReduceOp.MAX);
                return compares && call.type() == DataType.UINT32
                        ? new CollectiveCall(
                                call.collective(),
                                call.input(),
                                call.output(),
                                DataType.INT32,
                                call.op(),
                                call.root(),
                                call.algorithm())
                        : call;
            }
        });
    }

    @Test
    void ignoresAnOffset_shouldFailBy_spec0106() {
        assertFailsOnly("spec0106_unalignedBuffers", rank -> new Defect() {
            @Override
            DeviceBuffer output(CollectiveCall call) {
                return Memory.movedDown(call.output(), call.output().address() % 16);
            }
        });
    }

    @Test
    void believesThatRanksAlignAlike_shouldFailBy_spec0106() {
        AtomicLongArray remainders = new AtomicLongArray(CAPABILITIES.maxRanks());
        assertFailsOnly("spec0106_ranksMayAlignDifferently", rank -> new Defect() {
            @Override
            DeviceBuffer output(CollectiveCall call) {
                remainders.set(rank, call.output().address() % 16);
                return call.output();
            }

            @Override
            void beforeWrite(Launch launch) {
                long mine = remainders.get(rank);
                boolean alike = IntStream.range(0, launch.world()).allMatch(peer -> remainders.get(peer) == mine);
                if (launch.call().collective() == Collective.ALLREDUCE && !alike) {
                    launch.result()[0]++;
                }
            }
        });
    }

    @Test
    void takesLeftoversOfAnEarlierSizeForData_shouldFailBy_spec0607() {
        assertFailsOnly("spec0607_sizesTakeTurns", rank -> new Leftovers());
    }

    /** Errs once two sizes have taken turns: then scratch holds what a call of the size before the last has left. */
    private static final class Leftovers extends Defect {
        private static final int TURNS = 3;

        private long last;
        private long secondLast;
        private int turns;

        @Override
        void beforeWrite(Launch launch) {
            if (launch.call().collective() != Collective.ALLREDUCE) {
                return;
            }
            long bytes = launch.call().input().byteSize();
            turns = bytes == secondLast && bytes != last ? turns + 1 : 0;
            secondLast = last;
            last = bytes;
            if (turns >= TURNS && launch.result().length > 0) {
                launch.result()[0] ^= 1L << (Byte.SIZE * launch.call().type().byteSize() - 2);
            }
        }
    }

    @Test
    void truncatesOddCounts_shouldFailBy_spec0101() {
        assertFailsOnly("spec0101_everyCount", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                int width = launch.call().type().byteSize();
                int whole = launch.result().length * width / 16 * 16 / width;
                System.arraycopy(launch.before(), whole, launch.result(), whole, launch.result().length - whole);
            }
        });
    }

    @Test
    void leavesAnEarlierResult_shouldFailBy_spec0607() {
        assertFailsOnly("spec0607_launchesReadTheirInputAnew", rank -> new Defect() {
            private long[] earlier = new long[0];

            @Override
            void beforeWrite(Launch launch) {
                if (launch.number() == 1) {
                    earlier = launch.result().clone();
                } else if (launch.number() < 10 && earlier.length == launch.result().length) {
                    System.arraycopy(earlier, 0, launch.result(), 0, earlier.length);
                }
            }
        });
    }

    @Test
    void waitsForNobodyInABarrier_shouldFailBy_spec0610() {
        assertFailsOnly("spec0610_barriersWaitForAll", rank -> new Defect() {
            @Override
            boolean waitsInBarriers() {
                return false;
            }
        });
    }

    @Test
    void endsTooEarly_shouldFailBy_spec0603() {
        assertFailsOnly("spec0603_joinedMeansDone", rank -> new Defect() {
            @Override
            boolean endsEarly() {
                return true;
            }
        });
    }

    @Test
    void neverEnds_shouldFailBy_spec0605() {
        assertNeverEnds(rank -> new Defect() {
            @Override
            boolean isMade(long number) {
                return false;
            }
        });
    }

    @Test
    void hangsInJoin_shouldFailBy_spec0605() {
        assertNeverEnds(rank -> new Defect() {
            @Override
            boolean isMade(long number) {
                return rank != 1;
            }

            @Override
            boolean joinsInTime() {
                return false;
            }
        });
    }

    @Test
    void changesItsInput_shouldFailBy_spec0104() {
        assertFailsOnly("spec0104_inputsAreNotChanged", rank -> new Defect() {
            @Override
            void afterWrite(Launch launch) {
                MemorySegment input = launch.call().input().segment();
                if (input.byteSize() > 0
                        && launch.call().input().address()
                                != launch.call().output().address()
                        && !isInPlace(launch)) {
                    input.set(ValueLayout.JAVA_BYTE, 0, (byte) ~input.get(ValueLayout.JAVA_BYTE, 0));
                }
            }
        });
    }

    private static boolean isInPlace(Launch launch) {
        DeviceBuffer input = launch.call().input();
        DeviceBuffer output = launch.call().output();
        return input.address() < output.address() + output.byteSize()
                && output.address() < input.address() + input.byteSize();
    }

    @Test
    void writesPastItsBuffer_shouldFailBy_spec0105() {
        assertFailsOnly("spec0105_nothingElseIsWritten", rank -> new Defect() {
            @Override
            void afterWrite(Launch launch) {
                Memory.writePast(launch.call().output());
            }
        });
    }

    @Test
    void gathersOnEveryRank_shouldFailBy_spec0105() {
        assertFailsOnly("spec0105_nothingElseIsWritten", rank -> new Defect() {
            @Override
            boolean writesWithoutResult(CollectiveCall call) {
                return call.collective() == Collective.GATHER;
            }
        });
    }

    @Test
    void readsFactorsWhenItPrepares_shouldFailBy_spec0306() {
        assertFailsOnly("spec0306_factorsMayBeInMemory", rank -> new Defect() {
            @Override
            CollectiveCall replace(CollectiveCall call) {
                return call.op()
                        .memory()
                        .map(memory -> call.op(ReduceOp.premulSum(Arithmetic.number(memory, call.type()))))
                        .orElse(call);
            }
        });
    }

    /** The stored sum overflows or wraps, and is divided then. */
    @Test
    void dividesTheStoredSum_shouldFailBy_spec0306() {
        assertFailsOnly("spec0306_averagesDoNotOverflow", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                DataType type = launch.call().type();
                if (launch.call().op().equals(ReduceOp.AVG) && type == DataType.FLOAT32) {
                    ElementCodec codec = new ElementCodec(type);
                    for (int i = 0; i < launch.result().length; i++) {
                        double stored = codec.round(codec.decode(launch.result()[i]) * launch.world());
                        launch.result()[i] = codec.encode(stored / launch.world());
                    }
                }
            }
        });
    }

    @Test
    void takesTheFirstRanksFactor_shouldFailBy_spec0306() {
        assertFailsOnly("spec0306_factorsMayDiffer", rank -> new Defect() {
            @Override
            CollectiveCall replace(CollectiveCall call) {
                boolean differs = call.op().kind() == ReduceOp.Kind.PREMUL_SUM
                        && call.op().factor() == 3; // the first rank's is 2 then
                return differs ? call.op(ReduceOp.premulSum(2)) : call;
            }
        });
    }

    @Test
    void scalesOnEveryRank_shouldFailBy_spec0306() {
        assertFailsOnly("spec0306_averagesAndPremultipliedSums", rank -> new Defect() {
            @Override
            boolean writesWithoutResult(CollectiveCall call) {
                return call.op().equals(ReduceOp.AVG);
            }
        });
    }

    @Test
    void ignoresTheHint_shouldFailBy_spec0809() {
        assertFailsOnly("spec0809_nanIsRefused", rank -> new Defect() {
            @Override
            boolean looksForNan(CollectiveCall call) {
                return false;
            }
        });
    }

    @Test
    void looksWhatEverTheHintSays_shouldFailBy_spec0809() {
        assertFailsOnly("spec0809_nanIsRefused", rank -> new Defect() {
            @Override
            boolean looksForNan(CollectiveCall call) {
                return KnownHint.NAN_CHECK.in(call.options().hints()).isPresent();
            }
        });
    }

    @Test
    void hasABrokenRing_shouldFailBy_spec0806() {
        assertFailsOnly("spec0806_ringByName", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                boolean ring = launch.call().algorithm().equals(Optional.of("ring"));
                if (ring && rank == launch.world() - 1 && launch.number() > 1) {
                    launch.result()[launch.result().length - 1]++;
                }
            }
        });
    }

    /** Right between nodes, and on nodes of one rank; wrong where ranks of a node read each other's parts. */
    @Test
    void errsWithinANodeOnly_shouldFailBy_spec0806() {
        RankGroups groups = ReferenceGroup.with(
                rank -> new Defect() {
                    @Override
                    void beforeWrite(Launch launch) {
                        int ranksPerNode = Mode.NODES.ranksPerNode(launch.world());
                        boolean twoLevel = launch.call().algorithm().equals(Optional.of("two_level"));
                        if (twoLevel && rank % ranksPerNode > 0 && launch.number() > 1) {
                            launch.result()[launch.result().length - 1]++;
                        }
                    }
                },
                TIMEOUT);
        assertFailsOnly("spec0806_twoLevelByName", Mode.NODES, groups, CAPABILITIES, TIMEOUT);
    }

    @Test
    void runsAnotherProgramThanTheNamedOne_shouldFailBy_spec0806() {
        assertFailsOnly("spec0806_packetsTwoShotByName", rank -> new Defect() {
            @Override
            String algorithm(CollectiveCall call) {
                return call.algorithm()
                        .map(name -> name.equals("packets_two_shot") ? "packets" : name)
                        .orElse("reference");
            }
        });
    }

    @Test
    void waitsOnInAProgramThatIsAborted_shouldFailBy_spec0704() {
        assertFailsOnly("spec0704_abortEndsPrograms", rank -> new Defect() {
            @Override
            boolean hearsAborts(CollectiveCall call) {
                return !call.algorithm().equals(Optional.of(ShippedProgram.PACKETS_LL128.label()));
            }
        });
    }

    @Test
    void aProgramThatIsRefusedIsReportedWithTheReason() {
        RankGroups groups = ReferenceGroup.with(
                rank -> new Defect() {
                    @Override
                    CollectiveCall replace(CollectiveCall call) {
                        if (call.algorithm().equals(Optional.of("port"))) {
                            throw new UnsupportedException("there is no transport");
                        }
                        return call;
                    }
                },
                TIMEOUT);
        List<Rule> rules = new ArrayList<>(Trial.forDefect(rules(), "spec0806_portByName"));
        rules.add(Rules.find("spec0704_abortEndsPrograms"));
        for (RuleResult result : Trial.run(Mode.THREADS, groups, CAPABILITIES, TIMEOUT, rules)) {
            if (!isDeclared(result)) {
                continue;
            }
            boolean port = result.rule().id().equals("spec0806_portByName");
            // This rule aborts every program, of which the others are there.
            boolean tries = port || result.rule().id().equals("spec0704_abortEndsPrograms");
            assertEquals(port, result.outcome() == Outcome.SKIPPED, result::text);
            assertEquals(tries, result.reason().contains("there is no transport"), result::text);
        }
    }

    @Test
    void differsInTheLastBitOnOneRank_shouldFailBy_spec0309() {
        assertFailsOnly("spec0309_equalBitsOnAllRanks", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                if (rank == 1
                        && launch.call().type() == DataType.FLOAT32
                        && launch.call().op().equals(ReduceOp.SUM)) {
                    for (int i = 0; i < launch.result().length; i++) {
                        float value = Float.intBitsToFloat((int) launch.result()[i]);
                        launch.result()[i] ^= value == Math.rint(value) ? 0 : 1;
                    }
                }
            }
        });
    }

    @Test
    void isNotRepeatable_shouldFailBy_spec0309() {
        assertFailsOnly("spec0309_sameBitsAgain", rank -> new Defect() {
            @Override
            void beforeWrite(Launch launch) {
                if (launch.number() == 2
                        && launch.call().type() == DataType.FLOAT32
                        && launch.call().op().equals(ReduceOp.SUM)) {
                    for (int i = 0; i < launch.result().length; i++) {
                        float value = Float.intBitsToFloat((int) launch.result()[i]);
                        launch.result()[i] ^= value == Math.rint(value) ? 0 : 1;
                    }
                }
            }
        });
    }

    @Test
    void sharesOneFlagBetweenCommunicators_shouldFailBy_spec0601() {
        assertFailsOnly("spec0601_communicatorsAreIndependent", rank -> new SharedFlag());
    }

    /** A launch that finds another communicator's in flight takes the packets that are there for its own. */
    private static final class SharedFlag extends Defect {
        private CollectiveCall previous;

        @Override
        void beforeWrite(Launch launch) {
            if (!launch.alone()
                    && previous != null
                    && previous.output() != launch.call().output()) {
                Arrays.fill(launch.result(), 0);
            }
            previous = launch.call();
        }
    }

    @Test
    void losesASignalUnderLoad_shouldFailBy_spec0606() {
        assertFailsOnly("spec0606_launchesInARow", rank -> new Defect() {
            @Override
            boolean isMade(long number) {
                return rank != 1 || number != 300;
            }
        });
    }

    @Test
    void declaresWhatItRefuses_shouldFailBy_spec1101() {
        RankGroups groups = ReferenceGroup.with(
                rank -> new Defect() {
                    @Override
                    CollectiveCall replace(CollectiveCall call) {
                        if (call.type() == DataType.UINT16) {
                            throw new UnsupportedException("there is no kernel for uint16");
                        }
                        return call;
                    }
                },
                TIMEOUT);
        String rule = "spec1101_declaredTypesAndOperationsWork";
        Trial.assertFailsOnly(rule, run(groups, CAPABILITIES, rule));
    }

    @Test
    void declaresKernelsThatItCannotCompile_shouldFailBy_spec1105() {
        EnumSet<Feature> features = EnumSet.copyOf(CAPABILITIES.features());
        features.add(Feature.DEVICE_CHANNELS);
        Trial.assertFailsOnly(
                "spec1105_deviceChannels",
                run(
                        ReferenceGroup.with(rank -> new Defect(), TIMEOUT),
                        new Capabilities(CAPABILITIES.dataTypes(), CAPABILITIES.reduceOps(), 8, features),
                        "spec1105_deviceChannels"));
    }

    @Test
    void doesWhatItDoesNotDeclare_shouldWarnBy_spec1102() {
        EnumSet<DataType> declared = EnumSet.complementOf(EnumSet.of(DataType.INT64));
        List<RuleResult> results = run(
                ReferenceGroup.with(rank -> new Defect(), TIMEOUT),
                new Capabilities(
                        declared,
                        CAPABILITIES.reduceOps(),
                        8,
                        Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.HOST_CHANNELS, Feature.HOST_MEMORY)));
        List<String> warned = new ArrayList<>();
        for (RuleResult result : results) {
            assertTrue(result.outcome() != Outcome.FAILED, result::text);
            if (result.outcome() == Outcome.WARNED) {
                warned.add(result.rule().id());
            }
        }
        assertEquals(
                List.of(
                        "spec0704_abortEndsEverything",
                        "spec0704_abortEndsPrograms",
                        "spec0711_shrunkCommunicatorsWork",
                        "spec0713_abortHooksAreCalled",
                        "spec0806_multicastByName",
                        "spec0806_multicastDirectByName",
                        "spec0806_multicastPacketsByName",
                        "spec0806_multicastPipelineByName",
                        "spec1102_undeclaredIsRefused",
                        "spec1201_messagesArrive",
                        "spec1201_unequalSizesAreNotSilent",
                        "spec1201_unequalSizesAreReported",
                        "spec1202_messagesKeepTheirOrder",
                        "spec1204_emptyAndOwnMessages",
                        "spec1205_messagesInAnyMemory",
                        "spec1206_lanesAreReady",
                        "spec1207_missingSendersAreNamed",
                        "spec1208_partsOfAnySizesMove",
                        "spec1301_windowsOfAnySizes",
                        "spec1303_putsAreSeenBehindASignal",
                        "spec1304_signalsAreCounted",
                        "spec1306_closingIsRefusedDuringUse"),
                warned.stream().sorted().toList());
    }
}
