package org.mscclj.conformance.rank.call;

import java.util.function.LongFunction;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.task.Opened;

/**
 * Checks the locations of buffers. The last rank passes memory at another location than the other ranks: another
 * allocation, another offset, or plain memory. Executing such a call is refused on every rank; preparing it is not.
 * Equal locations are accepted wherever they are, and so are calls without any bytes.
 */
final class PlacesCheck implements RankCheck {
    private static final long ELEMENTS = 64;
    private static final long UNIT = 16 * ELEMENTS;

    private final boolean empty;

    /**
     * Creates the check.
     *
     * @param empty whether to use buffers of 0 bytes, which have no location
     */
    PlacesCheck(boolean empty) {
        this.empty = empty;
    }

    /** A buffer of all ranks but the last, and the buffer that the last rank passes instead. */
    private record Pair(String what, DeviceBuffer usual, DeviceBuffer other) {}

    @Override
    public void check(RankContext context) {
        if (context.test().world() == 1) {
            context.report(FindingKind.NO_PART, "there is no rank to differ from");
            return;
        }
        try (Opened opened = new Opened()) {
            // nothing is set up there: no rank finds its call known
            Communicator communicator = opened.add(context.second(), Communicator::close);
            LongFunction<DeviceBuffer> allocate =
                    bytes -> opened.add(communicator.allocate(bytes), DeviceBuffer::close);
            DeviceBuffer whole = allocate.apply(4 * UNIT);
            DeviceBuffer plain = opened.add(communicator.device().allocate(4 * UNIT), DeviceBuffer::close);
            // each pair has its own allocation, so that all ranks set its calls up
            for (Pair pair : new Pair[] {
                new Pair("another allocation", allocate.apply(4 * UNIT), allocate.apply(4 * UNIT)),
                new Pair("another offset", whole, whole.slice(UNIT, UNIT)),
                new Pair("plain memory", allocate.apply(4 * UNIT), plain)
            }) {
                tryPair(context, communicator, pair);
            }
        }
    }

    private void tryPair(RankContext context, Communicator communicator, Pair pair) {
        boolean last = context.rank() == context.test().world() - 1;
        long bytes = empty ? 0 : 16L * context.test().type().byteSize();
        CollectiveCall usual = call(context, pair.usual, bytes);
        CollectiveCall call = last ? call(context, pair.other, bytes) : usual;
        if (empty) {
            context.join(communicator.execute(call));
            return;
        }
        try {
            Work work = communicator.execute(call);
            context.report(
                    FindingKind.BEHAVIOUR,
                    "the last rank passes " + pair.what + ", and the call was accepted; right is"
                            + " InvalidArgumentException on every rank");
            context.join(work);
        } catch (InvalidArgumentException e) {
            if (String.valueOf(e.getMessage()).isBlank()) {
                context.report(FindingKind.BEHAVIOUR, "a call was refused without saying why");
            }
        }
        try (PreparedOperation operation = communicator.prepare(call)) {
            context.run(operation);
        }
        context.join(communicator.execute(usual));
    }

    private static CollectiveCall call(RankContext context, DeviceBuffer buffer, long bytes) {
        return CollectiveCall.allReduce(buffer.slice(0, bytes), context.test().type());
    }
}
