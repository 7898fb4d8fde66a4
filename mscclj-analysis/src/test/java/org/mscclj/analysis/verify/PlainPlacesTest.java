package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/** The verifier compares the order in which ranks add, also that of plain operands whose places plans state. */
class PlainPlacesTest {
    @ParameterizedTest(name = "{0} ranks")
    @ValueSource(ints = {3, 4, 5})
    void bitsAreEqualOnlyIfEveryPlainOperandHasThePlaceOfItsRank(int ranks) {
        Plan plan = ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, ranks));
        for (RankPlan rank : plan.ranks()) {
            for (int place = 0; place < ranks; place++) {
                boolean commutes = Math.max(place, rank.rank()) < 2; // a + b + c equals b + a + c
                assertBits(with(plan, rank, OptionalInt.of(place)), place == rank.rank() || commutes, rank, place);
            }
            assertBits(with(plan, rank, OptionalInt.empty()), rank.rank() == ranks - 1, rank, ranks - 1);
        }
    }

    private static void assertBits(Plan plan, boolean expected, RankPlan rank, int place) {
        Verdict verdict = Verifier.verify(plan);
        assertTrue(verdict.isProved(), verdict::toString);
        assertEquals(expected, verdict.equalBits(), () -> "rank " + rank.rank() + " adds its own at " + place);
    }

    private static Plan with(Plan plan, RankPlan rank, OptionalInt place) {
        RankPlan changed = rank.withThreadBlocks(rank.threadBlocks().stream()
                .map(block -> block.withOperations(block.operations().stream()
                        .map(operation -> with(operation, place))
                        .toList()))
                .toList());
        return plan.withRanks(plan.ranks().stream()
                .map(one -> one.equals(rank) ? changed : one)
                .toList());
    }

    private static Operation with(Operation operation, OptionalInt place) {
        return operation instanceof Operation.Data data && data.kind().reducesPackets()
                ? new Operation.Data(
                        data.kind(),
                        data.channelType(),
                        data.channelIds(),
                        data.sources(),
                        data.destinations(),
                        data.share(),
                        data.reduceOp(),
                        place)
                : operation;
    }
}
