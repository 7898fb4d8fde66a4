package org.mscclj.cli.stress.rank;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** The agreement of all ranks on when to finish: as soon as one of them wants to. */
final class Agreement implements AutoCloseable {
    /** Number of operations between two agreements. */
    static final int PERIOD = 16;

    private final Communicator communicator;
    private final DeviceBuffer word;

    /** Opens the agreement. All ranks must call this. */
    Agreement(Communicator communicator) {
        this.communicator = communicator;
        this.word = communicator.allocate(Integer.BYTES);
    }

    /** Whether one of the ranks wants to finish. All ranks must call this. */
    boolean any(boolean own) {
        word.copyFrom(MemorySegment.ofArray(new int[] {own ? 1 : 0}));
        communicator.allReduce(word, word, DataType.INT32, ReduceOp.MAX).join();
        int[] most = new int[1];
        word.copyTo(MemorySegment.ofArray(most));
        return most[0] > 0;
    }

    @Override
    public void close() {
        word.close();
    }
}
