package org.mscclj.conformance.rank.late;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.rank.RankContext;

/**
 * Counts ranks, by a sum over the communicator of the context. The sum is set up in advance, since a device neither
 * allocates memory nor loads kernels while a launch of another communicator waits on it.
 */
final class RankCount implements AutoCloseable {
    private final RankContext context;
    private final DeviceBuffer word;
    private final PreparedOperation sum;

    /** Sets the sum up. Collective. */
    RankCount(RankContext context) {
        this.context = context;
        this.word = context.communicator().allocate(Integer.BYTES);
        this.sum = context.communicator().prepare(CollectiveCall.allReduce(word, DataType.INT32));
        int _ = where(false); // performs now what happens at a first launch
    }

    /** Returns the number of ranks that pass true. Collective: when it returns, all ranks have called it. */
    int where(boolean own) {
        int[] ranks = {own ? 1 : 0};
        word.copyFrom(MemorySegment.ofArray(ranks));
        sum.run(context.timeout());
        word.copyTo(MemorySegment.ofArray(ranks));
        return ranks[0];
    }

    @Override
    public void close() {
        sum.close();
        word.close();
    }
}
