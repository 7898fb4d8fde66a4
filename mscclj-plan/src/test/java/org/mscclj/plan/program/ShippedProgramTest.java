package org.mscclj.plan.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.json.PlanWriter;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.plan.validation.PlanValidator;
import org.mscclj.plan.validation.RelaxedSignals;

/** Every shipped program is well formed for every number of ranks; that it computes its collective is tested where it runs. */
class ShippedProgramTest {
    static Stream<Integer> worlds() {
        return IntStream.concat(IntStream.rangeClosed(1, 9), IntStream.of(16)).boxed();
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void isValidReadsBackAndBalancesItsSignals(int ranks) {
        Set<String> names = new HashSet<>();
        List<Plan> plans = plans(ranks);
        for (Plan plan : plans) {
            PlanValidator.validate(plan);
            assertEquals(List.of(), RelaxedSignals.needingRelease(plan), plan.name());
            assertTrue(names.add(plan.name()), plan.name());
            requireBalance(plan, ChannelType.MEMORY);
            requireBalance(plan, ChannelType.PORT);
        }
        // every kind once is enough for the reading, which takes most of the time
        Plan last = plans.getLast();
        assertEquals(last, PlanReader.read(PlanWriter.write(last), last.name()));
    }

    @Test
    void everyProgramReadsBack() {
        for (int ranks : new int[] {1, 2, 3}) {
            for (Plan plan : plans(ranks)) {
                assertEquals(plan, PlanReader.read(PlanWriter.write(plan), plan.name()));
            }
        }
    }

    /** What runs when messages are small: no meeting but where memory is used for two things. */
    @Test
    void packetsAreOneHop() {
        assertEquals(List.of("ppkt", "repkt"), operations(ShippedProgram.PACKETS, 2, false));
        assertEquals(List.of("ppkt", "nop", "repkt"), operations(ShippedProgram.PACKETS, 2, true));
        assertEquals(List.of("ppkt", "cpkt", "upkt", "nop", "repkt"), operations(ShippedProgram.PACKETS, 3, false));
        assertEquals(List.of("ppkt", "respkt", "upkt", "upkt"), operations(ShippedProgram.PACKETS_TWO_SHOT, 3, false));
        assertEquals(List.of("ppkt", "respkt", "upkt", "upkt"), operations(ShippedProgram.PACKETS_TWO_SHOT, 3, true));
    }

    /** What rank 0 does in an allreduce. */
    private static List<String> operations(ShippedProgram program, int ranks, boolean inPlace) {
        Plan plan = program.plan(new ProgramSpec(Collective.ALLREDUCE, ranks, 0, inPlace, 1));
        return plan.ranks().getFirst().threadBlocks().getFirst().operations().stream()
                .map(Operation::label)
                .toList();
    }

    private static List<Plan> plans(int ranks) {
        return Stream.of(ShippedProgram.values())
                .flatMap(program -> Stream.of(Collective.values())
                        .flatMap(collective -> Stream.of(false, true)
                                .filter(inPlace ->
                                        program.refusal(collective, inPlace).isEmpty())
                                .flatMap(inPlace -> roots(collective, ranks)
                                        .flatMap(root -> Stream.of(1, 3)
                                                .map(blocks -> program.plan(
                                                        new ProgramSpec(collective, ranks, root, inPlace, blocks)))))))
                .toList();
    }

    private static Stream<Integer> roots(Collective collective, int ranks) {
        return collective.hasRoot() && ranks > 1 ? Stream.of(0, ranks - 1) : Stream.of(0);
    }

    /** Each channel is signalled as often as its partner waits, or a launch would leave something to the next. */
    private static void requireBalance(Plan plan, ChannelType type) {
        ChannelPairing pairing = ChannelPairing.of(plan, type);
        Map<String, Integer> balance = new HashMap<>();
        for (RankPlan rank : plan.ranks()) {
            for (ThreadBlock block : rank.threadBlocks()) {
                for (Operation operation : block.operations()) {
                    switch (operation) {
                        case Operation.Signal(var of, var ids, var _)
                        when of == type -> ids.forEach(id -> signalled(pairing, rank, block, id, type, balance));
                        case Operation.Wait(var of, var ids, var _)
                        when of == type ->
                            ids.forEach(id -> balance.merge(
                                    rank.rank() + "/" + block.channels(type).get(id), -1, Integer::sum));
                        case Operation.Data data
                        when type == ChannelType.PORT && data.kind() == DataKind.PUT_WITH_SIGNAL ->
                            data.channelIds().forEach(id -> signalled(pairing, rank, block, id, type, balance));
                        default -> {}
                    }
                }
            }
        }
        balance.forEach((channel, left) -> assertEquals(0, left, plan.name() + ", channel " + channel));
    }

    private static void signalled(
            ChannelPairing pairing,
            RankPlan rank,
            ThreadBlock block,
            int id,
            ChannelType type,
            Map<String, Integer> balance) {
        ChannelPairing.Endpoint partner =
                pairing.partner(rank.rank(), block.channels(type).get(id));
        balance.merge(partner.rank() + "/" + partner.slot(), 1, Integer::sum);
    }

    @Test
    void isTheSameAgain() {
        for (ShippedProgram program : ShippedProgram.values()) {
            for (boolean inPlace : new boolean[] {false, true}) {
                ProgramSpec spec = new ProgramSpec(Collective.ALLREDUCE, 5, 0, inPlace, 3);
                assertEquals(program.make(spec), program.make(spec));
            }
        }
    }

    @Test
    void onlyDirectProgramsLetPeersAccessBuffers() {
        for (Plan plan : plans(5)) {
            boolean direct = plan.name().contains("_direct_");
            for (RankPlan rank : plan.ranks()) {
                assertEquals(
                        direct,
                        rank.remoteBuffers().stream().anyMatch(buffer -> buffer.buffer() != BufferType.SCRATCH)
                                || (direct && rank.remoteBuffers().isEmpty()),
                        plan.name());
            }
        }
    }

    @Test
    void equalSpecificationsShareAPlan() {
        ProgramSpec spec = new ProgramSpec(Collective.ALLREDUCE, 6, 0, true, 2);
        assertSame(ShippedProgram.DIRECT.plan(spec), ShippedProgram.DIRECT.plan(spec));
        assertEquals(
                "allreduce_direct_6ranks_2blocks_inplace",
                ShippedProgram.DIRECT.plan(spec).name());
    }

    @Test
    void saysWhatThereIsNot() {
        assertFalse(ShippedProgram.DIRECT.refusal(Collective.ALLTOALL, true).isEmpty());
        assertEquals(Optional.empty(), ShippedProgram.DIRECT.refusal(Collective.ALLTOALL, false));
        assertThrows(
                UnsupportedException.class,
                () -> ShippedProgram.PORT.plan(new ProgramSpec(Collective.SENDRECV, 2, 0, false, 1)));
        assertThrows(
                UnsupportedException.class,
                () -> ShippedProgram.RING.plan(new ProgramSpec(Collective.ALLGATHER, 2, 0, false, 1)));
        assertThrows(InvalidArgumentException.class, () -> new ProgramSpec(Collective.ALLREDUCE, 2, 1, false, 1));
        assertThrows(InvalidArgumentException.class, () -> new ProgramSpec(Collective.BROADCAST, 2, 2, false, 1));
        assertThrows(InvalidArgumentException.class, () -> new ProgramSpec(Collective.GATHER, 2, -1, false, 1));
        assertThrows(InvalidArgumentException.class, () -> new ProgramSpec(Collective.ALLREDUCE, 2, 0, false, 0));
        assertThrows(InvalidArgumentException.class, () -> new ProgramSpec(Collective.ALLREDUCE, 0, 0, false, 1));
    }
}
