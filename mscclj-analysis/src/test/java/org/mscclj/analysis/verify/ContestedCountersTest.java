package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.Semaphore;
import org.mscclj.language.SyncType;
import org.mscclj.plan.Plan;

/** If several blocks wait for one counter, the verifier explores all orders in which they can be served. */
class ContestedCountersTest {
    private static Plan alone(Consumer<ProgramBuilder> definition) {
        return CollectiveProgram.define(
                        AlgoSpec.builder("alone", ProgramCollective.allReduce(1, 2, false))
                                .build(),
                        definition)
                .compile();
    }

    /** Block 0 copies two chunks; blocks 1 and 2 each read one of them after acquiring a semaphore. */
    private static void handOver(ProgramBuilder program, boolean oneByOne) {
        Rank rank = program.rank(0);
        Buffer scratch = program.scratch(0, 2);
        Semaphore copied = program.semaphore(0, 0);
        rank.copy(rank.output().chunk(0), rank.input().chunk(0), 0);
        if (oneByOne) {
            copied.release(0, SyncType.BEFORE);
        }
        rank.copy(rank.output().chunk(1), rank.input().chunk(1), 0);
        copied.release(0, SyncType.BEFORE);
        if (!oneByOne) {
            copied.release(0, SyncType.NONE);
        }
        for (int block = 1; block <= 2; block++) {
            copied.acquire(block, SyncType.AFTER);
            rank.copy(scratch.chunk(block - 1), rank.output().chunk(block - 1), block);
        }
    }

    @Test
    void anyOrderOfServiceIsProved() {
        Verdict verdict = Verifier.verify(alone(program -> handOver(program, false)));
        assertTrue(verdict.isProved(), () -> verdict.findings().toString());
        assertEquals(
                List.of("rank 0: blocks [1, 2] all wait for semaphore #0; all orders in which they can be served are"
                        + " right"),
                verdict.notes());
    }

    @Test
    void faultyOrderIsFoundAndDescribed() {
        Verdict verdict = Verifier.verify(alone(program -> handOver(program, true)));
        assertTrue(verdict.isRefuted(), verdict::toString);
        Finding finding = verdict.findings().getFirst();
        assertEquals(Finding.Kind.RACE, finding.kind());
        assertEquals("""
                nothing orders two accesses to rank 0 o[1]:
                  rank 0, block 0, op 3 (copy i[1] -> o[1]) writes it
                  rank 0, block 2, op 2 (copy o[1] -> s[1]) reads it
                  when blocks are served in this order: block 2 of rank 0 acquires semaphore #0, block 1 of rank 0 acquires semaphore #0""", finding.message());
    }

    @Test
    void blockThatTakesTheSemaphoreOfAnotherIsFound() {
        Verdict verdict = Verifier.verify(alone(program -> {
            Rank rank = program.rank(0);
            rank.copy(rank.output().chunk(0), rank.input().chunk(0), 0);
            rank.copy(rank.output().chunk(1), rank.input().chunk(1), 1);
            Semaphore first = program.semaphore(0, 1);
            Semaphore second = program.semaphore(0, 0);
            first.acquire(0);
            second.release(0);
            first.release(0);
            first.acquire(1); // block 0 may come later and find 0: this block waits for it
            second.acquire(1);
            first.release(1);
        }));
        assertTrue(verdict.isRefuted(), verdict::toString);
        assertEquals("""
                deadlock: blocks wait, and none can continue:
                  rank 0, block 0, op 2 (sem_acquire #0) waits for semaphore 0, which has been released 0 times, to be released once more
                  rank 0, block 1, op 2 (sem_acquire #0, #1) waits for semaphore 1, which has been released 0 times, to be released once more
                  when blocks are served in this order: block 1 of rank 0 acquires semaphore #0""", verdict.findings().getFirst().message());
    }

    @Test
    void claimsOfAChannelAreFollowedToo() {
        Plan plan = CollectiveProgram.define(
                        AlgoSpec.builder("claims", ProgramCollective.allGather(2, 1, true))
                                .build(),
                        program -> {
                            for (Rank rank : program.ranks()) {
                                Rank peer = program.rank(1 - rank.id());
                                MemoryChannel channel = program.memoryChannel(peer.id(), rank.id());
                                channel.relaxedSignal(0);
                                channel.relaxedAwait(0, SyncType.AFTER);
                                channel.put(
                                        peer.output().chunk(rank.id()),
                                        rank.output().chunk(rank.id()),
                                        0);
                                channel.signal(0, SyncType.BEFORE);
                                channel.await(1, SyncType.AFTER); // may claim the signal that block 0 waits for
                            }
                        })
                .compile();
        Verdict verdict = Verifier.verify(plan);
        assertTrue(verdict.isRefuted(), verdict::toString);
        assertTrue(
                verdict.findings().getFirst().message().contains("when blocks are served in this order: "),
                () -> verdict.findings().toString());
    }

    /**
     * Blocks that only acquire a semaphore and release it, over separate data, are correct in any order, without a
     * search.
     */
    @Test
    void locksThatOrderNothingAreProved() {
        int blocks = 16;
        Verdict verdict = Verifier.verify(CollectiveProgram.define(
                        AlgoSpec.builder("locks", ProgramCollective.allReduce(1, blocks, false))
                                .build(),
                        program -> {
                            Rank rank = program.rank(0);
                            Semaphore two = program.semaphore(0, 2);
                            for (int block = 0; block < blocks; block++) {
                                two.acquire(block, SyncType.AFTER);
                                rank.copy(
                                        rank.output().chunk(block), rank.input().chunk(block), block);
                                two.release(block, SyncType.BEFORE);
                            }
                        })
                .compile());
        assertTrue(verdict.isProved(), () -> verdict.findings().toString());
    }

    /** A lock is ignored, so a plan whose blocks share data under it is not proved without it. */
    @Test
    void lockOverSharedDataIsExplored() {
        for (int atATime = 1; atATime <= 2; atATime++) {
            int most = atATime;
            Verdict verdict = Verifier.verify(alone(program -> writeInTurns(program, most)));
            assertFalse(verdict.isProved(), verdict::toString);
        }
    }

    private static void writeInTurns(ProgramBuilder program, int atATime) {
        Rank rank = program.rank(0);
        Buffer scratch = program.scratch(0, 1);
        Semaphore lock = program.semaphore(0, atATime);
        for (int block = 0; block < 2; block++) {
            lock.acquire(block, SyncType.AFTER);
            rank.copy(scratch.chunk(0), rank.input().chunk(block), block);
            lock.release(block, SyncType.BEFORE);
            rank.copy(rank.output().chunk(block), rank.input().chunk(block), block);
        }
    }

    @Test
    void tooManyOrdersAreLeftUndecided() {
        int blocks = 8; // in 8! orders, in each of three launches
        Verdict verdict = Verifier.verify(alone(program -> {
            Rank rank = program.rank(0);
            Semaphore turn = program.semaphore(0, 1);
            Semaphore done = program.semaphore(0, 8);
            IntStream.range(0, 2)
                    .forEach(chunk ->
                            rank.copy(rank.output().chunk(chunk), rank.input().chunk(chunk), 0));
            for (int block = 0; block < blocks; block++) {
                turn.acquire(block);
                done.acquire(block); // another wait in between, so that it is no lock
                turn.release(block);
            }
        }));
        assertFalse(verdict.isProved());
        assertFalse(verdict.isRefuted());
        assertEquals(
                "rank 0: blocks [0, 1, 2, 3, 4, 5, 6, 7] all wait for semaphore #0, so the result of each"
                        + " depends on the schedule; 5000 orders were followed without a fault, but there are more",
                verdict.findings().getFirst().message());
    }
}
