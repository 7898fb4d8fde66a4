package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.Collective;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/** Which plans are fused, and the order of loads, packets and waits in a fused block. */
class FusedCodeTest {
    /** Of these, every rank sends packets to every peer and awaits packets of every peer, and nothing else. */
    private static final Set<Collective> BY_PACKETS_ALONE =
            EnumSet.of(Collective.ALLREDUCE, Collective.REDUCESCATTER, Collective.ALLGATHER, Collective.ALLTOALL);

    private static Optional<FusedCode> fused(ProgramCollective collective, Consumer<ProgramBuilder> definition) {
        AlgoSpec spec = AlgoSpec.builder("fused", collective)
                .protocol(Protocol.LL)
                .doubleScratch(true)
                .build();
        return PlanCode.of(CollectiveProgram.define(spec, definition).compile()).fused();
    }

    private static boolean isFused(ProgramCollective collective, Consumer<ProgramBuilder> definition) {
        return fused(collective, definition).isPresent();
    }

    /** Both ranks do the same; the rank, its peer, and the channel to the peer are given. */
    private static Consumer<ProgramBuilder> both(int slots, Part part) {
        return program -> {
            List<Buffer> scratch = List.of(program.scratch(0, slots), program.scratch(1, slots));
            List<MemoryChannel> channels = List.of(program.memoryChannel(1, 0), program.memoryChannel(0, 1));
            for (int rank = 0; rank < 2; rank++) {
                int peer = 1 - rank;
                part.add(
                        program.rank(rank),
                        program.rank(peer),
                        scratch.get(rank),
                        scratch.get(peer),
                        channels.get(rank));
            }
        };
    }

    /** What a rank does in a program of two. */
    private interface Part {
        void add(Rank rank, Rank peer, Buffer scratch, Buffer scratchOfPeer, MemoryChannel channel);
    }

    /** The smallest exchange that can be fused; other programs of this test add one thing to it. */
    private static void exchange(Rank rank, Buffer scratch, Buffer scratchOfPeer, MemoryChannel channel) {
        channel.putPackets(scratchOfPeer.chunk(0), rank.input().chunk(0), 0);
        rank.unpackPackets(rank.output().chunk(0), scratch.chunk(0), 0);
    }

    private static ProgramCollective allReduce(int chunks) {
        return ProgramCollective.allReduce(2, chunks, false);
    }

    @ParameterizedTest
    @EnumSource(ShippedProgram.class)
    void shippedProgramsThatMovePacketsAlone(ShippedProgram program) {
        for (Collective collective : program.collectives()) {
            for (int ranks : new int[] {2, 3, 4}) {
                for (boolean inPlace : new boolean[] {false, true}) {
                    ProgramSpec spec = ProgramSpec.of(collective, ranks).inPlace(inPlace);
                    if (program.refusal(spec).isPresent()) {
                        continue;
                    }
                    boolean expected = switch (program) {
                        case PACKETS_TWO_SHOT, PACKETS_TWO_SHOT_LL128, MULTICAST_PACKETS -> true;
                        case PACKETS, PACKETS_LL128 -> BY_PACKETS_ALONE.contains(collective);
                        default -> false;
                    };
                    assertEquals(
                            expected,
                            PlanCode.of(program.plan(spec)).fused().isPresent(),
                            () -> program + ", " + spec + ", expected: " + expected);
                }
            }
        }
    }

    @Test
    void aTracedPlanIsNotFused() {
        Plan plan = ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));
        assertFalse(PlanCode.of(plan, Optional.of(_ -> 1)).fused().isPresent());
    }

    @Test
    void packetsAndOwnPlainData() {
        assertTrue(isFused(
                allReduce(1), both(1, (rank, _, own, theirs, channel) -> exchange(rank, own, theirs, channel))));
    }

    @Test
    void signalsAreNotFused() {
        assertFalse(isFused(allReduce(1), both(1, (rank, _, own, theirs, channel) -> {
            exchange(rank, own, theirs, channel);
            channel.signal(0);
            channel.await(0);
        })));
    }

    @Test
    void barriersOfBlocksAreNotFused() {
        assertFalse(isFused(allReduce(1), both(1, (rank, _, own, theirs, channel) -> {
            exchange(rank, own, theirs, channel);
            rank.barrier(List.of(0, 1));
            rank.copy(rank.output().chunk(0), rank.output().chunk(0), 1);
        })));
    }

    /** The operands of a block are in registers at once: of two hops between 8 ranks there are too many. */
    @Test
    void blocksWithManyOperandsAreNotFused() {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 8);
        assertFalse(
                PlanCode.of(ShippedProgram.PACKETS_TWO_SHOT.plan(spec)).fused().isPresent());
        assertTrue(PlanCode.of(ShippedProgram.PACKETS.plan(spec)).fused().isPresent());
    }

    /** A thread that has moved a unit of two chunks would read a unit of one chunk that another thread moves. */
    @Test
    void rangesOfPlainDataThatOverlapInPartAreNotFused() {
        assertFalse(isFused(allReduce(2), both(2, (rank, _, own, theirs, channel) -> {
            channel.putPackets(theirs.slice(0, 2), rank.input().slice(0, 2), 0);
            rank.unpackPackets(rank.output().slice(0, 2), own.slice(0, 2), 0);
            rank.copy(rank.output().chunk(0), rank.output().chunk(1), 0);
        })));
    }

    /** Packets of a rank that has a chunk for each block, and of one that has one block for both chunks. */
    @Test
    void rangesOfPacketsThatDifferBetweenRanksAreNotFused() {
        assertFalse(isFused(allReduce(2), program -> {
            Buffer first = program.scratch(0, 2);
            Buffer second = program.scratch(1, 2);
            program.memoryChannel(1, 0)
                    .putPackets(second.slice(0, 2), program.rank(0).input().slice(0, 2), 0);
            program.rank(0).unpackPackets(program.rank(0).output().slice(0, 2), first.slice(0, 2), 0);
            MemoryChannel back = program.memoryChannel(0, 1);
            for (int chunk = 0; chunk < 2; chunk++) { // unit 0 of rank 0 comes from the middle of what it sends
                back.readPutPackets(first.chunk(chunk), second.chunk(1 - chunk), chunk);
            }
        }));
    }

    /** A rank that is not fused would answer after it has received everything; a fused one sends little before. */
    @Test
    void answersBehindAMoveThatAwaitsPacketsAreNotFused() {
        assertFalse(isFused(allReduce(1), both(2, (rank, _, own, theirs, channel) -> {
            exchange(rank, own, theirs, channel);
            channel.putPackets(theirs.chunk(1), rank.output().chunk(0), 0);
            rank.unpackPackets(rank.output().chunk(0), own.chunk(1), 0);
        })));
    }

    /** A peer's input may be read once a packet of the peer has arrived, and loads of plain data come first. */
    @Test
    void plainDataOfPeersIsNotFused() {
        assertFalse(isFused(allReduce(2), both(1, (rank, peer, own, theirs, channel) -> {
            exchange(rank, own, theirs, channel);
            channel.get(rank.output().chunk(1), peer.input().chunk(1), 0);
        })));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void aReceiveStandsBehindAllPacketsThatPrecedeIt(int ranks) {
        for (ShippedProgram program : List.of(ShippedProgram.PACKETS, ShippedProgram.PACKETS_TWO_SHOT)) {
            for (Collective collective : program.collectives()) {
                Plan plan = program.plan(ProgramSpec.of(collective, ranks).blocks(2));
                PlanCode code = PlanCode.of(plan);
                code.fused()
                        .ifPresent(fused -> IntStream.range(0, ranks).forEach(rank -> {
                            for (int block = 0; block < fused.blocks(rank).size(); block++) {
                                assertOrder(
                                        code.steps(rank).get(block),
                                        fused.blocks(rank).get(block).body(),
                                        plan.label());
                            }
                        }));
            }
        }
    }

    /**
     * Packets sent and awaited, one letter each, in the order of the moves; packets awaited together have any order.
     */
    private static void assertOrder(List<KernelStep> steps, String body, String what) {
        StringBuilder expected = new StringBuilder();
        for (KernelStep step : steps) {
            if (step instanceof KernelStep.Data data) {
                expected.append("r".repeat(data.move().packetSources().size()));
                expected.append("s".repeat(data.move().packetDestinations().size()));
            }
        }
        StringBuilder said = new StringBuilder();
        Matcher packets = Pattern.compile("send<|receive<([^>]*)>").matcher(body);
        while (packets.find()) {
            said.append(
                    packets.group(1) == null ? "s" : "r".repeat(packets.group(1).split(",").length));
        }
        assertEquals(expected.toString(), said.toString(), () -> what + ":\n" + body);
    }

    @Test
    void whatIsStoredIsLoadedAgain() {
        FusedCode code = fused(allReduce(1), both(1, (rank, _, own, theirs, channel) -> {
                    exchange(rank, own, theirs, channel);
                    rank.reduce(rank.output().chunk(0), List.of(rank.input().chunk(0)), 0);
                }))
                .orElseThrow();
        String body = code.bodies().getFirst();
        // the record: two words of the block, then input, output (two words each), sent packets, awaited packets
        String begin = """
                    uint32 unit = block.first();
                    auto plain0 = block.template load<2>(unit);
                    if (!block.enter()) return false;
                    while (block.has(unit)) {
                """;
        assertEquals(begin, body.substring(0, begin.length()), "the input is loaded before the state is there");
        assertEquals(1, code.bodies().size(), "both ranks have one shape");
        int store = body.indexOf("store<4>");
        int load = body.indexOf("load<4>");
        assertTrue(0 <= store && store < load, () -> "output is loaded behind its store in\n" + body);
    }

    /** In place, the input is the output: the sum is of what has been stored, not of what was loaded before. */
    @Test
    void inPlaceAStoreToTheOutputMakesTheInputOld() {
        FusedCode code = fused(ProgramCollective.allReduce(2, 1, true), both(1, (rank, _, own, theirs, channel) -> {
                    exchange(rank, own, theirs, channel);
                    rank.reduce(rank.output().chunk(0), List.of(rank.input().chunk(0)), 0);
                }))
                .orElseThrow();
        String behindStore = code.bodies().getFirst().split("block.template store<", 2)[1];
        String sum = behindStore.substring(0, behindStore.indexOf("unit = block.next"));
        assertFalse(sum.contains("plain"), () -> "a variable from before the store in " + sum);
        assertTrue(sum.contains("block.template load<"), sum);
    }

    @Test
    void packetsThatAreAwaitedOneBehindTheOtherAreAwaitedTogether() {
        FusedCode code = fused(allReduce(2), both(2, (rank, _, own, theirs, channel) -> {
                    for (int chunk = 0; chunk < 2; chunk++) {
                        channel.putPackets(theirs.chunk(chunk), rank.input().chunk(chunk), 0);
                    }
                    for (int chunk = 0; chunk < 2; chunk++) {
                        rank.unpackPackets(rank.output().chunk(chunk), own.chunk(chunk), 0);
                    }
                }))
                .orElseThrow();
        String body = code.bodies().getFirst();
        assertEquals(1, body.split("receive<", -1).length - 1, body);
        assertTrue(body.indexOf("note()") > body.lastIndexOf("send<"), "the bookkeeping is behind the packets");
        assertTrue(body.indexOf("note()") < body.indexOf("receive<"), "the bookkeeping is before the wait");
    }

    /** A move that receives and sends lets a peer go on, which sends what the next move awaits. */
    @Test
    void aMoveThatSendsIsNotAwaitedWithLaterOnes() {
        Plan plan = ShippedProgram.PACKETS_TWO_SHOT.plan(ProgramSpec.of(Collective.ALLREDUCE, 4));
        String body = PlanCode.of(plan).fused().orElseThrow().bodies().getFirst();
        int lastSend = body.lastIndexOf("send<");
        assertTrue(body.indexOf("receive<") < lastSend, "contributions arrive before results are sent");
        assertTrue(lastSend < body.lastIndexOf("receive<"), "results are awaited behind the own ones");
        assertEquals(2, body.split("receive<", -1).length - 1, body);
    }
}
