package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/** Programs whose plans would show the defects of MSCCL++'s compiler. */
class KnownMistakesTest {
    private static AlgoSpec.Builder spec() {
        return AlgoSpec.builder("program", ProgramCollective.allReduce(2, 4, true));
    }

    private static Plan compile(AlgoSpec.Builder spec, Consumer<ProgramBuilder> definition) {
        return CollectiveProgram.define(spec.build(), definition).compile();
    }

    private static List<Operation> block(Plan plan, int block) {
        return plan.ranks().getFirst().threadBlocks().get(block).operations();
    }

    private static List<String> labels(Plan plan) {
        return block(plan, 0).stream().map(Operation::label).toList();
    }

    private static Operation.Data data(Plan plan, int block) {
        return (Operation.Data) block(plan, block).getFirst();
    }

    @Test
    void instancesAreCreatedOnceForSeveralCompilations() {
        CollectiveProgram program = CollectiveProgram.define(
                spec().instances(3).build(),
                definition -> definition
                        .rank(0)
                        .copy(
                                definition.rank(0).input().chunk(1),
                                definition.rank(0).input().chunk(0),
                                0));
        Plan plan = program.compile();
        assertEquals(plan, program.compile());
        assertEquals(24, plan.ranks().getFirst().inputChunks());
        assertEquals(3, plan.ranks().getFirst().threadBlocks().size());
        assertEquals(
                List.of(new ChunkRef.Local(BufferType.INPUT, 2, 1)),
                data(plan, 2).sources());
        assertEquals(
                List.of(new ChunkRef.Local(BufferType.INPUT, 5, 1)),
                data(plan, 2).destinations());
    }

    @Test
    void chunkSharedByTwoSwitchOperationsIsShiftedOnce() {
        Plan plan = compile(spec().instances(4), program -> {
            SwitchChannel.Member member =
                    program.switchChannel(List.of(0, 1), BufferType.INPUT).atRank(0);
            Chunk chunk = program.rank(0).input().slice(2, 4);
            member.reduce(2, 2, chunk, 0);
            member.broadcast(chunk, 2, 2, 0);
            member.broadcast(chunk, 4, 2, 1);
        });
        for (int instance = 0; instance < 4; instance++) {
            Operation.Data both = data(plan, instance);
            assertEquals(DataKind.SWITCH_REDUCE_STORE, both.kind());
            ChunkRef moved = new ChunkRef.Multicast(0, 8 + 2 * instance, 2);
            assertEquals(List.of(moved), both.sources());
            assertEquals(List.of(moved), both.destinations());
            Operation.Data store = data(plan, 4 + instance);
            assertEquals(List.of(new ChunkRef.Local(BufferType.INPUT, 8 + 2 * instance, 2)), store.sources());
            assertEquals(List.of(new ChunkRef.Multicast(0, 16 + 2 * instance, 2)), store.destinations());
        }
    }

    @Test
    void packetCopyOfAReductionIsShiftedWithItsInstance() {
        Plan plan = compile(spec().protocol(Protocol.LL).instances(2), program -> {
            Buffer scratch = program.scratch(0, 4);
            Rank rank = program.rank(0);
            rank.reducePackets(rank.input().chunk(3), List.of(scratch.chunk(1)), 0);
            rank.copyPackets(scratch.chunk(2), rank.input().chunk(3), 0);
        });
        for (int instance = 0; instance < 2; instance++) {
            Operation.Data both = data(plan, instance);
            assertEquals(DataKind.REDUCE_COPY_PACKETS, both.kind());
            assertEquals(
                    List.of(
                            new ChunkRef.Local(BufferType.INPUT, 6 + instance, 1),
                            new ChunkRef.Local(BufferType.SCRATCH, 4 + instance, 1)),
                    both.destinations());
            assertEquals(
                    List.of(
                            new ChunkRef.Local(BufferType.INPUT, 6 + instance, 1),
                            new ChunkRef.Local(BufferType.SCRATCH, 2 + instance, 1)),
                    both.sources());
        }
    }

    @Test
    void threadsSyncBeforeAPacketReductionOfStoredData() {
        Plan plan = compile(spec().protocol(Protocol.LL), program -> {
            Buffer scratch = program.scratch(0, 1);
            Rank rank = program.rank(0);
            rank.copy(rank.input().chunk(1), rank.input().chunk(0), 0);
            rank.reducePackets(
                    rank.input().chunk(1),
                    List.of(scratch.chunk(0)),
                    rank.input().chunk(2),
                    0);
        });
        assertEquals(List.of("copy", "nop", "repkt"), labels(plan));
    }

    @Test
    void threadsDoNotSyncBeforeAPacketReductionOfStoredPackets() {
        Plan plan = compile(spec().protocol(Protocol.LL), program -> {
            Buffer scratch = program.scratch(0, 1);
            Rank rank = program.rank(0);
            rank.copyPackets(scratch.chunk(0), rank.input().chunk(0), 0);
            rank.reducePackets(rank.input().chunk(1), List.of(scratch.chunk(0)), 0);
        });
        assertEquals(List.of("cpkt", "repkt"), labels(plan));
    }

    @Test
    void threadsSyncBeforeAndAfterABroadcastOfStoredData() {
        Plan plan = compile(spec(), program -> {
            Rank rank = program.rank(0);
            Chunk chunk = rank.input().chunk(1);
            rank.copy(chunk, rank.input().chunk(0), 0);
            program.switchChannel(List.of(0, 1), BufferType.INPUT).atRank(0).broadcast(chunk, 1, 1, 0);
            rank.copy(rank.input().chunk(2), chunk, 0);
        });
        assertEquals(List.of("copy", "nop", "gstore", "nop", "copy"), labels(plan));
    }

    @Test
    void inPlaceInputAndOutputShareMemory() {
        Plan plan = compile(spec(), program -> {
            Rank rank = program.rank(0);
            rank.copy(rank.output().chunk(1), rank.input().chunk(0), 0);
            rank.copy(rank.output().chunk(2), rank.input().chunk(1), 0);
        });
        assertEquals(List.of("copy", "nop", "copy"), labels(plan));
    }

    @Test
    void reductionThatReadsTheResultByItsOtherNameIsNotFused() {
        Plan plan = compile(spec(), program -> {
            Rank rank = program.rank(0);
            rank.reduce(
                    rank.input().chunk(0),
                    List.of(rank.input().chunk(1)),
                    rank.output().chunk(2),
                    0);
            rank.reduce(rank.output().chunk(2), List.of(rank.input().chunk(2)), 0);
        });
        assertEquals(List.of("re", "nop", "re"), labels(plan));
    }

    @Test
    void reductionThatDoesNotContinueFromTheResultIsNotFused() {
        Plan plan = compile(spec(), program -> {
            Rank rank = program.rank(0);
            rank.reduce(
                    rank.input().chunk(0),
                    List.of(rank.input().chunk(1)),
                    rank.input().chunk(3),
                    0);
            rank.reduce(
                    rank.input().chunk(0),
                    List.of(rank.input().chunk(2)),
                    rank.input().chunk(3),
                    0);
        });
        assertEquals(List.of("re", "nop", "re"), labels(plan));
    }

    @Test
    void operationsKeepTheLimitsOfTheExecutor() {
        int ranks = 13;
        Plan plan = compile(AlgoSpec.builder("wide", ProgramCollective.allGather(ranks, 1, true)), program -> {
            Chunk own = program.rank(0).output().chunk(0);
            List<MemoryChannel> channels = IntStream.range(1, ranks)
                    .mapToObj(peer -> program.memoryChannel(peer, 0))
                    .toList();
            channels.forEach(channel ->
                    channel.put(program.rank(channel.destination()).output().chunk(0), own, 0));
            channels.forEach(channel -> channel.signal(0, SyncType.BEFORE));
            for (int peer = 1; peer < ranks; peer++) {
                program.memoryChannel(0, peer).await(0, SyncType.AFTER);
            }
        });
        assertEquals(List.of("put", "put", "nop", "signal", "nop", "signal"), labels(plan));
        assertEquals(10, data(plan, 0).destinations().size());
        assertEquals(8, ((Operation.Signal) block(plan, 0).get(3)).channelIds().size());
    }

    @Test
    void theCallerChoosesTheReduceOperationUnlessTheProgramFixesIt() {
        Consumer<ProgramBuilder> definition = program -> {
            Rank rank = program.rank(0);
            rank.reduce(rank.input().chunk(0), List.of(rank.input().chunk(1)), 0);
        };
        assertEquals(Optional.empty(), data(compile(spec(), definition), 0).reduceOp());
        assertEquals(
                Optional.of(ReduceOp.Kind.MAX),
                data(compile(spec().reduceOp(ReduceOp.Kind.MAX), definition), 0).reduceOp());
    }

    @Test
    void packetsInAPipelineDoNotSeparateIterations() {
        Plan plan = compile(spec().protocol(Protocol.LL), program -> {
            Buffer scratch = program.scratch(0, 1);
            Rank rank = program.rank(0);
            program.pipeline(1024, 1, () -> {
                rank.unpackPackets(rank.input().chunk(0), scratch.chunk(0), 0);
                program.memoryChannel(1, 0)
                        .putPackets(program.scratch(1, 1).chunk(0), rank.input().chunk(0), 0);
            });
        });
        Operation.Pipeline pipeline = (Operation.Pipeline) block(plan, 0).getFirst();
        assertEquals(
                List.of("nop", "upkt", "nop", "ppkt"),
                pipeline.operations().stream().map(Operation::label).toList());
    }

    @Test
    void getsReadThePeersChunkAndStoreTheOwn() {
        Plan plan = compile(
                spec(),
                program -> program.memoryChannel(1, 0)
                        .get(
                                program.rank(0).input().chunk(1),
                                program.rank(1).input().chunk(6),
                                0));
        assertEquals(List.of(new ChunkRef.Remote(0, 6, 1)), data(plan, 0).sources());
        assertEquals(
                List.of(new ChunkRef.Local(BufferType.INPUT, 1, 1)),
                data(plan, 0).destinations());
        assertEquals(Optional.of(ChannelType.MEMORY), data(plan, 0).channelType());
    }
}
