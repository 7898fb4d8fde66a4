package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.validation.RelaxedSignals;

/** The first programs of MSCCL++'s guides, and the plans that they become. */
class DocumentedProgramsTest {
    @Test
    void theFirstAllgatherPutsEachRanksPartIntoTheOther() {
        Plan plan = GivenPrograms.allGather("simple_allgather_2gpus", 1L << 30).compile();
        assertEquals(1L << 30, plan.maxMessageSize());
        assertEquals(
                List.of("nop", "rlxsignal", "nop", "rlxwait", "nop", "put", "nop", "signal", "wait", "nop"),
                labels(plan, 0));
        for (RankPlan rank : plan.ranks()) {
            assertEquals(List.of(1, 2), List.of(rank.inputChunks(), rank.outputChunks()));
            assertEquals(List.of(1 - rank.rank()), rank.memoryChannelPeers());
            Operation.Data put = (Operation.Data) rank.threadBlocks().getFirst().operations().stream()
                    .filter(operation -> operation instanceof Operation.Data)
                    .findFirst()
                    .orElseThrow();
            assertEquals(DataKind.PUT, put.kind());
            assertEquals(BlockShare.WHOLE, put.share());
            assertEquals(rank.rank(), ((ChunkRef.Local) put.sources().getFirst()).index());
            assertEquals(rank.rank(), ((ChunkRef.Remote) put.destinations().getFirst()).index());
        }
    }

    static Stream<Arguments> multicasts() {
        return Stream.of(arguments(2, 2), arguments(4, 4), arguments(8, 8), arguments(8, 2));
    }

    private static AlgoSpec multicast(int ranks, int instances) {
        return AlgoSpec.builder("allreduce_nvls", ProgramCollective.allReduce(ranks, 1, true))
                .ranksPerNode(ranks)
                .instances(instances)
                .messageSizes(1 << 20, 48L << 30)
                .tag("nvls", 1)
                .build();
    }

    @ParameterizedTest(name = "{0} ranks, {1} instances")
    @MethodSource("multicasts")
    void theMulticastAllreduceReleasesItsResultsByAFullSignal(int ranks, int instances) {
        Plan plan = GivenPrograms.allReduceMulticastReleased(multicast(ranks, instances))
                .compile();
        assertEquals(List.of(), RelaxedSignals.needingRelease(plan));
        for (RankPlan rank : plan.ranks()) {
            assertEquals(ranks * instances, rank.inputChunks());
            assertEquals(instances, rank.threadBlocks().size());
            for (int instance = 0; instance < instances; instance++) {
                List<Operation> operations = rank.threadBlocks().get(instance).operations();
                int store = IntStream.range(0, operations.size())
                        .filter(i -> operations.get(i) instanceof Operation.Data)
                        .findFirst()
                        .orElseThrow();
                ChunkRef part = new ChunkRef.Multicast(0, rank.rank() * instances + instance, 1);
                Operation.Data both = (Operation.Data) operations.get(store);
                assertEquals(DataKind.SWITCH_REDUCE_STORE, both.kind());
                assertEquals(List.of(List.of(part), List.of(part)), List.of(both.sources(), both.destinations()));
                List<Integer> all = IntStream.range(0, ranks - 1).boxed().toList();
                assertEquals(
                        List.of(
                                new Operation.Nop(),
                                new Operation.Signal(ChannelType.MEMORY, all, false),
                                new Operation.Wait(ChannelType.MEMORY, all, false),
                                new Operation.Nop()),
                        operations.subList(store + 1, operations.size()));
            }
        }
    }

    @Test
    void theGuidesOwnLastSignalIsKeptAndFound() {
        Plan plan = GivenPrograms.allReduceMulticast(multicast(2, 2)).compile();
        assertFalse(RelaxedSignals.needingRelease(plan).isEmpty());
    }

    private static List<String> labels(Plan plan, int rank) {
        return plan.ranks().get(rank).threadBlocks().getFirst().operations().stream()
                .map(Operation::label)
                .toList();
    }
}
