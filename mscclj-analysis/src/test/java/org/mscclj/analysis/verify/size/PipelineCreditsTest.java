package org.mscclj.analysis.verify.size;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.Semaphore;
import org.mscclj.language.SyncType;
import org.mscclj.plan.Plan;

/**
 * The initial value of a semaphore lets pipelines run for some iterations; the verifier follows them until it is used
 * up.
 */
class PipelineCreditsTest {
    private static final long UNIT = 1024;

    private static Plan plan(long mostBytes, Consumer<ProgramBuilder> definition) {
        return CollectiveProgram.define(
                        AlgoSpec.builder("credits", ProgramCollective.allReduce(1, 1, false))
                                .messageSizes(0, mostBytes)
                                .build(),
                        definition)
                .compile();
    }

    private static void copyOnCredit(ProgramBuilder program, int credits, boolean givesBack) {
        Rank rank = program.rank(0);
        Semaphore credit = program.semaphore(0, credits);
        program.pipeline(UNIT, 1, () -> {
            credit.acquire(0, SyncType.AFTER);
            rank.copy(rank.output().chunk(0), rank.input().chunk(0), 0);
            if (givesBack) {
                credit.release(0, SyncType.BEFORE);
            }
        });
    }

    private static Finding refuted(Plan plan) {
        Verdict verdict = Verifier.verify(plan);
        assertTrue(verdict.isRefuted(), verdict::toString);
        return verdict.findings().getFirst();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 100, 10_000})
    void creditWithoutReleasesRunsOut(int credits) {
        Finding finding = refuted(plan(-1, program -> copyOnCredit(program, credits, false)));
        assertEquals(Finding.Kind.NO_PROGRESS, finding.kind());
        assertTrue(finding.message().contains("it starts at " + credits + ", and is never released"), finding::message);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 100, 10_000})
    void creditWithReleasesIsEnough(int credits) {
        assertTrue(Verifier.verify(plan(-1, program -> copyOnCredit(program, credits, true)))
                .isProved());
    }

    /**
     * The counts agree, but the consumer starts after the producer has ended, which fails for more iterations than
     * credits.
     */
    @Test
    void creditWithLateReleasesRunsOut() {
        Finding finding = refuted(plan(-1, program -> {
            Rank rank = program.rank(0);
            Semaphore credit = program.semaphore(0, 6);
            Semaphore end = program.semaphore(0, 0);
            program.pipeline(UNIT, 1, () -> {
                credit.acquire(0, SyncType.AFTER);
                rank.copy(rank.output().chunk(0), rank.input().chunk(0), 0);
            });
            end.release(0, SyncType.BEFORE);
            end.acquire(1, SyncType.AFTER);
            program.pipeline(UNIT, 1, () -> credit.release(1));
        }));
        assertEquals(Finding.Kind.NO_PROGRESS, finding.kind());
        assertTrue(finding.message().contains("waits for semaphore 0"), finding::message);
    }

    /** If the message size limits the iterations, the credit does not run out. */
    @Test
    void limitsOfMessageSizesBoundTheIterations() {
        assertTrue(Verifier.verify(plan(4 * UNIT, program -> copyOnCredit(program, 4, false)))
                .isProved());
        assertTrue(Verifier.verify(plan(4 * UNIT + 1, program -> copyOnCredit(program, 4, false)))
                .isRefuted());
    }

    @Test
    void moreCreditThanCanBeFollowedIsNotProved() {
        Verdict verdict = Verifier.verify(plan(-1, program -> copyOnCredit(program, Integer.MAX_VALUE, false)));
        assertFalse(verdict.isProved());
        assertTrue(verdict.findings().getFirst().message().contains("2147483647 spare signals"), verdict::toString);
    }

    /** With scratch, the last part of a message may have any size, but a launch of no bytes runs nothing. */
    @Test
    void aPipelineHasAnIteration() {
        Verdict verdict = Verifier.verify(plan(-1, program -> {
            Rank rank = program.rank(0);
            Semaphore ready = program.semaphore(0, 0);
            rank.copy(program.scratch(0, 1).chunk(0), rank.input().chunk(0), 0);
            rank.copy(rank.output().chunk(0), rank.input().chunk(0), 0);
            program.pipeline(UNIT, 1, () -> ready.release(0));
            ready.acquire(1);
        }));
        assertTrue(verdict.isProved(), verdict::toString);
    }

    /**
     * Three iterations of one pipeline run with two of the other, but with chunks of two thirds of a unit, two run with
     * two.
     */
    @Test
    void pipelinesOverDifferentNumbersOfChunksMeetInAllRatios() {
        Finding finding = refuted(plan(-1, program -> {
            Rank rank = program.rank(0);
            Semaphore ready = program.semaphore(0, 1);
            rank.copy(rank.output().chunk(0), rank.input().chunk(0), 0);
            program.pipeline(UNIT, 3, () -> {
                ready.release(1);
                ready.release(1);
            });
            program.pipeline(UNIT, 2, () -> {
                ready.acquire(2);
                ready.acquire(2);
                ready.acquire(2);
            });
        }));
        assertEquals(Finding.Kind.NO_PROGRESS, finding.kind());
        assertTrue(finding.message().contains("when the longest pipeline has 2 iterations"), finding::message);
    }
}
