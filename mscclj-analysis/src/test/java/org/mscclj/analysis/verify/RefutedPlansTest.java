package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.SyncType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/** Faults of a plan are found, and described for readers who do not know the plan. */
class RefutedPlansTest {
    private static Plan allGather(Consumer<ProgramBuilder> definition) {
        return CollectiveProgram.define(
                        AlgoSpec.builder("allgather", ProgramCollective.allGather(2, 1, true))
                                .build(),
                        definition)
                .compile();
    }

    private static void allGather(ProgramBuilder program) {
        for (Rank rank : program.ranks()) {
            Rank peer = program.rank(1 - rank.id());
            MemoryChannel channel = program.memoryChannel(peer.id(), rank.id());
            channel.relaxedSignal(0);
            channel.relaxedAwait(0, SyncType.AFTER);
            channel.put(peer.output().chunk(rank.id()), rank.output().chunk(rank.id()), 0);
            channel.signal(0, SyncType.BEFORE);
            channel.await(0, SyncType.AFTER);
        }
    }

    /** Changes the operations of rank 0's first block. */
    private static Plan change(Plan plan, Function<List<Operation>, List<Operation>> change) {
        List<RankPlan> ranks = new ArrayList<>(plan.ranks());
        RankPlan rank = ranks.getFirst();
        List<ThreadBlock> blocks = new ArrayList<>(rank.threadBlocks());
        blocks.set(
                0,
                blocks.getFirst().withOperations(change.apply(blocks.getFirst().operations())));
        ranks.set(0, rank.withThreadBlocks(blocks));
        return plan.withRanks(ranks);
    }

    private static List<Operation> without(List<Operation> operations, int position) {
        List<Operation> rest = new ArrayList<>(operations);
        rest.remove(position);
        return rest;
    }

    private static String refuted(Plan plan, Finding.Kind kind) {
        Verdict verdict = Verifier.verify(plan);
        assertTrue(verdict.isRefuted(), () -> "not refuted: " + verdict);
        assertEquals(
                kind,
                verdict.findings().getFirst().kind(),
                () -> verdict.findings().toString());
        return verdict.findings().getFirst().message();
    }

    @Test
    void thePlanIsProved() {
        Verdict verdict = Verifier.verify(allGather(RefutedPlansTest::allGather));
        assertTrue(verdict.isProved(), () -> verdict.findings().toString());
        assertEquals(List.of(), verdict.notes());
    }

    @Test
    void aMissingNopIsARace() {
        Plan plan = change(allGather(RefutedPlansTest::allGather), operations -> {
            assertEquals("put", operations.get(5).label(), operations::toString);
            return without(operations, 6); // between put and signal
        });
        assertEquals("""
                nothing orders two accesses to rank 1 o[0]:
                  rank 0, block 0, op 5 (put o[0] -> rank 1 o[0]  (memory)) writes it
                  rank 1, the application, before it launches, writes it in launch 2 in a row
                  a nop is missing: the threads of the block do not synchronise between op 5 and rank 0, block 0, op 6 (signal memory #0 (rank 1)), which therefore does not release it""", refuted(plan, Finding.Kind.RACE));
    }

    @Test
    void missingSignalIsFound() {
        Plan plan = change(allGather(RefutedPlansTest::allGather), operations -> {
            assertEquals("signal", operations.get(7).label(), operations::toString);
            return without(operations, 7);
        });
        assertEquals(
                "rank 1 waits 2 times in each launch on memory channel #0, and rank 0 signals there once",
                refuted(plan, Finding.Kind.NO_PROGRESS));
    }

    @Test
    void deadlockNamesTheWaits() {
        Plan plan = allGather(program -> {
            for (Rank rank : program.ranks()) {
                MemoryChannel channel = program.memoryChannel(1 - rank.id(), rank.id());
                channel.await(0, SyncType.AFTER); // both wait before they signal
                channel.signal(0, SyncType.BEFORE);
            }
        });
        assertEquals("""
                deadlock: blocks wait, and none can continue:
                  rank 0, block 0, op 0 (wait memory #0 (rank 1)) waits for signal 1 of rank 1 on memory channel #0, which has sent 0
                  rank 1, block 0, op 0 (wait memory #0 (rank 0)) waits for signal 1 of rank 0 on memory channel #0, which has sent 0""", refuted(plan, Finding.Kind.NO_PROGRESS));
    }

    @Test
    void aSwappedChunkIsAWrongResult() {
        Plan plan = allGather(program -> {
            for (Rank rank : program.ranks()) {
                Rank peer = program.rank(1 - rank.id());
                MemoryChannel channel = program.memoryChannel(peer.id(), rank.id());
                channel.relaxedSignal(0);
                channel.relaxedAwait(0, SyncType.AFTER);
                channel.put(peer.output().chunk(peer.id()), rank.output().chunk(rank.id()), 0);
                channel.signal(0, SyncType.BEFORE);
                channel.await(0, SyncType.AFTER);
            }
        });
        Verdict verdict = Verifier.verify(plan);
        assertTrue(verdict.isRefuted());
        assertTrue(
                verdict.findings().stream()
                        .filter(finding -> finding.kind() == Finding.Kind.WRONG_RESULT)
                        .anyMatch(finding -> finding.message()
                                .startsWith("rank 0, chunk 0 of the output of allgather ends up with input chunk 0"
                                        + " of rank 1;"
                                        + " it should be input chunk 0 of rank 0")),
                () -> verdict.findings().toString());
    }

    /** Three launches are followed, and a fault of each is reported once for each rank. */
    @Test
    void faultOfEachLaunchIsReportedOnce() {
        Plan plan = allGather(program -> {
            for (Rank rank : program.ranks()) {
                MemoryChannel channel = program.memoryChannel(1 - rank.id(), rank.id());
                channel.signal(0, SyncType.BEFORE);
                channel.await(0, SyncType.AFTER);
            }
        });
        Verdict verdict = Verifier.verify(plan);
        assertEquals(2, verdict.findings().size(), verdict::toString);
        assertTrue(verdict.findings().stream()
                .noneMatch(finding -> finding.message().contains(" in a row")));
    }

    @Test
    void aShortWaitIsARace() {
        Plan plan = change(allGather(RefutedPlansTest::allGather), operations -> {
            assertEquals("rlxwait", operations.get(3).label(), operations::toString);
            return without(operations, 3); // does not wait until the peer is ready
        });
        String message = refuted(plan, Finding.Kind.RACE);
        assertTrue(message.contains("rank 0, block 0, op 4 (put o[0] -> rank 1 o[0]  (memory)) writes it"), message);
        assertTrue(message.contains("rank 1, the application, before it launches, writes it"), message);
    }

    @Test
    void twoWaitsForOneSignalAreRefuted() {
        Plan plan = change(
                allGather(program -> {
                    allGather(program);
                    program.rank(0).barrier(List.of(1));
                }),
                operations -> operations);
        List<RankPlan> ranks = new ArrayList<>(plan.ranks());
        RankPlan rank = ranks.getFirst();
        List<ThreadBlock> blocks = new ArrayList<>(rank.threadBlocks());
        blocks.set(
                1,
                new ThreadBlock(
                        1,
                        List.of(new Operation.Wait(ChannelType.MEMORY, List.of(0), false)),
                        List.of(0),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of()));
        ranks.set(0, rank.withThreadBlocks(blocks));
        assertEquals(
                "rank 0 waits 3 times in each launch on memory channel #0, and rank 1 signals there 2 times",
                refuted(plan.withRanks(ranks), Finding.Kind.NO_PROGRESS));
    }
}
