package org.mscclj.conformance.rank;

import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
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
        Communicator communicator = context.communicator();
        if (context.test().world() == 1) {
            context.report(FindingKind.NO_PART, "there is nobody to differ from");
            return;
        }
        try (Opened opened = new Opened()) {
            DeviceBuffer first = opened.add(communicator.allocate(4 * UNIT), DeviceBuffer::close);
            DeviceBuffer second = opened.add(communicator.allocate(4 * UNIT), DeviceBuffer::close);
            DeviceBuffer plain = opened.add(communicator.device().allocate(4 * UNIT), DeviceBuffer::close);
            int kind = 1; // each pair has its own signature by its size, so that all ranks set it up
            for (Pair pair : new Pair[] {
                new Pair("another allocation", first, second),
                new Pair("another offset", first, first.slice(UNIT, UNIT)),
                new Pair("plain memory", first, plain)
            }) {
                tryPair(context, pair, kind++);
            }
        }
    }

    private void tryPair(RankContext context, Pair pair, int kind) {
        boolean last = context.rank() == context.test().world() - 1;
        long bytes = empty ? 0 : 16L * kind * context.test().type().byteSize();
        CollectiveCall usual = call(context, pair.usual, bytes);
        CollectiveCall call = last ? call(context, pair.other, bytes) : usual;
        if (empty) {
            context.join(context.communicator().execute(call));
            return;
        }
        try {
            Work work = context.communicator().execute(call);
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
        try (PreparedOperation operation = context.communicator().prepare(call)) {
            context.run(operation);
        }
        context.join(context.communicator().execute(usual));
    }

    private static CollectiveCall call(RankContext context, DeviceBuffer buffer, long bytes) {
        return CollectiveCall.allReduce(buffer.slice(0, bytes), context.test().type());
    }
}
