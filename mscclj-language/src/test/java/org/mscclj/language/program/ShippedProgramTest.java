package org.mscclj.language.program;

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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.selection.ProgramRanking;
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
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.validation.PlanValidator;
import org.mscclj.plan.validation.RelaxedSignals;

/**
 * Every shipped program is well formed for every number of ranks. Tests of the engines check that it computes its
 * collective.
 */
class ShippedProgramTest {
    /** Two-level programs are tested with other worlds. */
    record World(int ranks, int ranksPerNode) {
        World(int ranks) {
            this(ranks, ranks);
        }

        @Override
        public String toString() {
            return ranks / ranksPerNode + " × " + ranksPerNode;
        }
    }

    static Stream<World> worlds() {
        return Stream.concat(
                IntStream.concat(IntStream.rangeClosed(1, 9), IntStream.of(16)).mapToObj(World::new),
                Stream.of(new World(2, 1), new World(3, 1), new World(6, 2), new World(6, 3), new World(16, 4)));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void isValidReadsBackAndBalancesItsSignals(World world) {
        Set<String> names = new HashSet<>();
        List<Plan> plans = plans(world);
        for (Plan plan : plans) {
            PlanValidator.validate(plan);
            assertEquals(List.of(), RelaxedSignals.needingRelease(plan), plan.name());
            assertTrue(names.add(plan.name()), plan.name());
            requireBalance(plan, ChannelType.MEMORY);
            requireBalance(plan, ChannelType.PORT);
        }
        // one program of each kind suffices for the reader, which takes most of the time
        Plan last = plans.getLast();
        assertEquals(last, PlanReader.read(PlanWriter.write(last), last.name()));
    }

    @Test
    void everyProgramReadsBack() {
        for (World world : List.of(new World(1), new World(2), new World(3), new World(4, 2))) {
            for (Plan plan : plans(world)) {
                assertEquals(plan, PlanReader.read(PlanWriter.write(plan), plan.name()));
            }
        }
    }

    /** Small messages synchronise threads only where memory is reused. */
    @Test
    void packetsAreOneHop() {
        assertEquals(List.of("ppkt", "repkt"), operations(ShippedProgram.PACKETS, 2, false));
        assertEquals(List.of("ppkt", "nop", "repkt"), operations(ShippedProgram.PACKETS, 2, true));
        assertEquals(List.of("ppkt", "repkt"), operations(ShippedProgram.PACKETS, 3, false));
        assertEquals(List.of("ppkt", "nop", "repkt"), operations(ShippedProgram.PACKETS, 3, true));
        assertEquals(List.of("ppkt", "respkt", "upkt", "upkt"), operations(ShippedProgram.PACKETS_TWO_SHOT, 3, false));
        assertEquals(List.of("ppkt", "respkt", "upkt", "upkt"), operations(ShippedProgram.PACKETS_TWO_SHOT, 3, true));
    }

    /** For large messages, blocks that read must not stop to copy, so that the links stay busy. */
    @ParameterizedTest
    @CsvSource({"ALLTOALL,2,8", "ALLTOALL,4,3", "ALLTOALL,8,2", "ALLGATHER,2,8", "ALLGATHER,9,1"})
    void largeMessagesHaveBlocksForTheOwnPart(Collective collective, int ranks, int keepers) {
        ProgramSpec spec = ProgramSpec.of(collective, ranks);
        int large = new ProgramRanking(ProgramPreference.GPU).blocks(ShippedProgram.DIRECT, spec, 32 << 20);
        assertEquals(32 + keepers, large);
        for (RankPlan rank : ShippedProgram.DIRECT.plan(spec.blocks(large)).ranks()) {
            List<List<String>> blocks = rank.threadBlocks().stream()
                    .map(block ->
                            block.operations().stream().map(Operation::label).toList())
                    .toList();
            assertEquals(large, blocks.size());
            assertTrue(blocks.subList(0, 32).stream().noneMatch(labels -> labels.contains("copy")), blocks::toString);
            assertTrue(blocks.subList(32, large).stream().allMatch(List.of("copy")::equals), blocks::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"3,6291456", "4,4194304", "8,1797559"})
    void largeBroadcastsAreRelayed(int ranks, long least) {
        ProgramRanking gpu = new ProgramRanking(ProgramPreference.GPU);
        assertEquals(
                ShippedProgram.RELAY,
                gpu.order(Collective.BROADCAST, least, ranks, true).getFirst());
        assertEquals(
                ShippedProgram.DIRECT,
                gpu.order(Collective.BROADCAST, least - 1, ranks, true).getFirst());
        assertTrue(gpu.steps(ranks).contains(least));
        assertEquals(
                ShippedProgram.DIRECT,
                gpu.order(Collective.BROADCAST, 1L << 30, 2, true).getFirst());
        assertEquals(
                ShippedProgram.DIRECT,
                new ProgramRanking(ProgramPreference.HOST)
                        .order(Collective.BROADCAST, 1L << 40, ranks, true)
                        .getFirst());
    }

    @Test
    void smallOrInPlaceMessagesHaveNoBlocksForTheOwnPart() {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLGATHER, 4);
        assertEquals(64, new ProgramRanking(ProgramPreference.GPU).blocks(ShippedProgram.DIRECT, spec, (32 << 20) - 1));
        assertEquals(
                64,
                new ProgramRanking(ProgramPreference.GPU).blocks(ShippedProgram.DIRECT, spec.inPlace(true), 1L << 30));
        assertEquals(64, new ProgramRanking(ProgramPreference.GPU).blocks(ShippedProgram.SCRATCH, spec, 1L << 30));
        assertEquals(4, new ProgramRanking(ProgramPreference.HOST).blocks(ShippedProgram.DIRECT, spec, 1L << 30));
        assertTrue(new ProgramRanking(ProgramPreference.GPU).steps(4).contains(32L << 20));
    }

    /** The operations of rank 0 in an allreduce. */
    private static List<String> operations(ShippedProgram program, int ranks, boolean inPlace) {
        Plan plan = program.plan(ProgramSpec.of(Collective.ALLREDUCE, ranks).inPlace(inPlace));
        return plan.ranks().getFirst().threadBlocks().getFirst().operations().stream()
                .map(Operation::label)
                .toList();
    }

    private static List<Plan> plans(World world) {
        boolean several = world.ranksPerNode < world.ranks;
        return Stream.of(ShippedProgram.values())
                .filter(program -> several == (program == ShippedProgram.TWO_LEVEL))
                .flatMap(program -> Stream.of(Collective.values())
                        .flatMap(collective -> roots(collective, world.ranks)
                                .map(root -> ProgramSpec.of(collective, world.ranks)
                                        .ranksPerNode(world.ranksPerNode)
                                        .root(root)))
                        .flatMap(spec -> Stream.of(spec, spec.inPlace(true)))
                        .flatMap(spec -> Stream.of(spec, spec.blocks(3)))
                        .filter(spec -> program.refusal(spec).isEmpty())
                        .map(program::plan))
                .toList();
    }

    private static Stream<Integer> roots(Collective collective, int ranks) {
        return collective.hasRoot() && ranks > 1 ? Stream.of(0, ranks - 1) : Stream.of(0);
    }

    /** Each channel has as many signals as its partner has waits; otherwise launches would affect the next. */
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
    void programIsDeterministic() {
        for (ShippedProgram program : ShippedProgram.values()) {
            for (boolean inPlace : new boolean[] {false, true}) {
                Collective collective = Stream.of(Collective.ALLREDUCE, Collective.ALLGATHER, Collective.BROADCAST)
                        .filter(program.collectives()::contains)
                        .findFirst()
                        .orElseThrow();
                ProgramSpec spec = ProgramSpec.of(collective, 6)
                        .ranksPerNode(program == ShippedProgram.TWO_LEVEL ? 2 : 6)
                        .inPlace(inPlace)
                        .blocks(3);
                assertEquals(program.make(spec), program.make(spec));
            }
        }
    }

    @Test
    void onlyDirectProgramsAccessBuffersOfPeers() {
        for (Plan plan : Stream.concat(plans(new World(5)).stream(), plans(new World(6, 2)).stream())
                .toList()) {
            boolean direct = plan.name().contains("_direct_") || plan.name().contains("_relay_");
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
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 6).inPlace(true).blocks(2);
        Plan direct = ShippedProgram.DIRECT.plan(spec);
        assertSame(direct, ShippedProgram.DIRECT.plan(spec));
        assertSame(direct, ShippedProgram.DIRECT.plan(spec.ranksPerNode(3)), "nodes make no difference");
        assertEquals("allreduce_direct_6ranks_2blocks_inplace", direct.name());
        assertEquals(
                "allreduce_two_level_6ranks_2nodes_2blocks_inplace",
                ShippedProgram.TWO_LEVEL.plan(spec.ranksPerNode(3)).name());
    }

    @Test
    void missingProgramIsNamed() {
        ProgramSpec allToAll = ProgramSpec.of(Collective.ALLTOALL, 2);
        assertFalse(ShippedProgram.DIRECT.refusal(allToAll.inPlace(true)).isEmpty());
        assertEquals(Optional.empty(), ShippedProgram.DIRECT.refusal(allToAll));
        assertEquals(
                Optional.of("it is for several nodes, and there is one"), ShippedProgram.TWO_LEVEL.refusal(allToAll));
        assertThrows(
                UnsupportedException.class, () -> ShippedProgram.PORT.plan(ProgramSpec.of(Collective.SENDRECV, 2)));
        assertThrows(
                UnsupportedException.class, () -> ShippedProgram.RING.plan(ProgramSpec.of(Collective.ALLGATHER, 2)));
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 2);
        assertThrows(InvalidArgumentException.class, () -> spec.root(1));
        assertThrows(
                InvalidArgumentException.class,
                () -> ProgramSpec.of(Collective.BROADCAST, 2).root(2));
        assertThrows(
                InvalidArgumentException.class,
                () -> ProgramSpec.of(Collective.GATHER, 2).root(-1));
        assertThrows(InvalidArgumentException.class, () -> spec.blocks(0));
        assertThrows(InvalidArgumentException.class, () -> spec.ranksPerNode(0));
        assertThrows(
                InvalidArgumentException.class,
                () -> ProgramSpec.of(Collective.ALLREDUCE, 6).ranksPerNode(4));
        assertThrows(InvalidArgumentException.class, () -> ProgramSpec.of(Collective.ALLREDUCE, 0));
    }
}
