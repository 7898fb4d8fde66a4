package org.mscclj.analysis.verify;

import java.util.Locale;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/**
 * Builds and verifies the allreduce of a shipped program for a number of ranks, and prints both durations. Run by hand.
 */
public final class VerifierScale {
    private VerifierScale() {}

    /** Arguments: the program's label, ranks, ranks of each node, and how often to repeat. */
    public static void main(String[] arguments) {
        ShippedProgram program = ShippedProgram.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        int ranks = Integer.parseInt(arguments[1]);
        int ranksPerNode = arguments.length > 2 ? Integer.parseInt(arguments[2]) : ranks;
        int rounds = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 1;
        for (int round = 0; round < rounds; round++) {
            long start = System.nanoTime();
            Plan plan = program.plan(ProgramSpec.of(Collective.ALLREDUCE, ranks).ranksPerNode(ranksPerNode));
            long made = System.nanoTime();
            Verdict verdict = Verifier.verify(plan);
            long verified = System.nanoTime();
            System.out.printf(
                    Locale.ROOT,
                    "%s of %d ranks, %d operations: made in %.2f s, %s in %.2f s%n",
                    program.label(),
                    ranks,
                    operations(plan),
                    (made - start) / 1e9,
                    verdict.isProved() ? "proved" : verdict.findings().toString(),
                    (verified - made) / 1e9);
        }
    }

    private static long operations(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .mapToLong(operation -> operation instanceof Operation.Pipeline pipeline
                        ? pipeline.operations().size()
                        : 1)
                .sum();
    }
}
