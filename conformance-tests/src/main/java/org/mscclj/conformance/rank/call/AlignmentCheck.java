package org.mscclj.conformance.rank.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.element.ElementCodec;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks sums of ranks whose memory is aligned differently: that of the last rank begins one element behind a multiple
 * of 16 bytes, and that of the other ranks at one. A rank may access its memory in another way than its peers then.
 */
final class AlignmentCheck implements RankCheck {
    private static final int COUNT = 256;

    /** Elements are 1 to this, times the rank's number from 1: small enough for sums to be exact in each type. */
    private static final int VALUES = 4;

    @Override
    public void check(RankContext context) {
        int ranks = context.test().world();
        if (ranks == 1) {
            context.report(FindingKind.NO_PART, "there is no rank to differ from");
            return;
        }
        DataType type = context.test().type();
        ElementCodec codec = new ElementCodec(type);
        long bytes = (long) COUNT * type.byteSize();
        boolean last = context.rank() == ranks - 1;
        try (Arena arena = Arena.ofConfined();
                DeviceBuffer memory = context.communicator().allocate(2 * bytes)) {
            DeviceBuffer buffer = memory.slice(last ? type.byteSize() : 0, bytes);
            MemorySegment host = arena.allocate(bytes, Long.BYTES);
            Elements elements = new Elements(host, type);
            for (int i = 0; i < COUNT; i++) {
                elements.set(i, codec.encode((context.rank() + 1) * (i % VALUES + 1)));
            }
            buffer.copyFrom(host);
            try (PreparedOperation operation = context.communicator().prepare(CollectiveCall.allReduce(buffer, type))) {
                context.run(operation);
            }
            buffer.copyTo(host);
            for (int i = 0; i < COUNT; i++) {
                double sum = codec.decode(elements.get(i));
                int right = ranks * (ranks + 1) / 2 * (i % VALUES + 1);
                if (sum != right) {
                    context.report(FindingKind.WRONG, "element " + i + " is " + sum + "; right is " + right);
                    return;
                }
            }
        }
    }
}
