package org.mscclj.conformance.rank.result;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks factors that differ by rank. Two ranks contribute ones, each with a factor of its own; all other ranks
 * contribute zeros. Then the first rank alone changes its factor. An implementation that sets up each factor
 * collectively would wait for the other ranks in vain.
 */
final class FactorsOfRanksCheck implements RankCheck {
    private static final int COUNT = 128;
    private static final int[] FACTORS_OF_FIRST = {2, 4, 2};
    private static final int FACTOR_OF_SECOND = 3;

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        DataType type = context.test().type();
        int rank = communicator.rank();
        boolean contributes = rank < 2;
        long bytes = (long) COUNT * type.byteSize();
        try (DeviceBuffer input = communicator.allocate(bytes);
                DeviceBuffer output = communicator.allocate(bytes)) {
            input.copyFrom(MemorySegment.ofArray(FactorInMemoryCheck.elements(type, COUNT, contributes ? 1 : 0)));
            for (int first : FACTORS_OF_FIRST) {
                int factor = rank == 0 ? first : FACTOR_OF_SECOND;
                communicator
                        .execute(CollectiveCall.allReduce(input, output, type).op(ReduceOp.premulSum(factor)))
                        .join();
                byte[] found = new byte[Math.toIntExact(bytes)];
                output.copyTo(MemorySegment.ofArray(found));
                int right = communicator.size() == 1 ? first : first + FACTOR_OF_SECOND;
                FactorInMemoryCheck.report(context, type, found, right);
                communicator.barrier(); // peers may still read this rank's input
            }
        }
    }
}
