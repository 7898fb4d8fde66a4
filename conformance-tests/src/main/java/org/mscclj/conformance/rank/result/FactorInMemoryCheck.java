package org.mscclj.conformance.rank.result;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Launching;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks premultiplied sums whose factor is in memory. Each launch or replay reads the current factor, which changes in
 * between. The summands are ones first, then greater numbers.
 */
final class FactorInMemoryCheck implements RankCheck {
    private static final int COUNT = 128;
    private static final int[] FACTORS = {2, 3, 0, 1};

    static byte[] elements(DataType type, int count, int value) {
        byte[] bytes = new byte[count * type.byteSize()];
        Elements elements = new Elements(MemorySegment.ofArray(bytes), type);
        long bits = type.isFloat() ? new ElementCodec(type).encode(value) : value;
        for (int i = 0; i < count; i++) {
            elements.set(i, bits);
        }
        return bytes;
    }

    @Override
    public boolean canReplay() {
        return true;
    }

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        DataType type = context.test().type();
        long bytes = (long) COUNT * type.byteSize();
        try (DeviceBuffer input = communicator.allocate(bytes);
                DeviceBuffer output = communicator.allocate(bytes);
                DeviceBuffer factor = communicator.device().allocate(type.byteSize())) {
            CollectiveCall call = CollectiveCall.allReduce(input, output, type).op(ReduceOp.premulSum(factor));
            try (PreparedOperation operation = communicator.prepare(call);
                    Launching launching = Launching.of(context, operation)) {
                for (int launch = 0; launch < FACTORS.length; launch++) {
                    int summand = launch % 2 + 1;
                    int value = FACTORS[launch];
                    // From one rank alone, so that every type represents the sum and the product exactly, for any
                    // number of ranks.
                    int contribution = communicator.rank() == 0 ? summand : 0;
                    input.copyFrom(MemorySegment.ofArray(elements(type, COUNT, contribution)));
                    factor.copyFrom(MemorySegment.ofArray(elements(type, 1, value)));
                    launching.run();
                    byte[] found = new byte[Math.toIntExact(bytes)];
                    output.copyTo(MemorySegment.ofArray(found));
                    report(context, type, found, value * summand);
                    communicator.barrier(); // peers may still read this rank's input
                }
            }
        }
    }

    static void report(RankContext context, DataType type, byte[] found, int right) {
        Elements elements = new Elements(MemorySegment.ofArray(found), type);
        Elements expected = new Elements(MemorySegment.ofArray(elements(type, 1, right)), type);
        for (int i = 0; i < elements.count(); i++) {
            if (elements.get(i) != expected.get(0)) {
                context.report(
                        FindingKind.WRONG,
                        "element " + i + " is 0x" + Long.toHexString(elements.get(i)) + ", right is 0x"
                                + Long.toHexString(expected.get(0)) + ", " + right + " as " + type);
                return;
            }
        }
    }
}
