package org.mscclj.conformance.rank.message;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.task.Opened;

/**
 * Checks sends and receives in memory of the communicator, in other memory of the device, and at any offset in both.
 */
final class AnyMemoryCheck implements RankCheck {
    private static final int BYTES = 4099;
    private static final List<Integer> OFFSETS = List.of(0, 1, 7);

    private static byte[] content(int from, int message) {
        byte[] content = new byte[BYTES];
        new Random(from * 100L + message).nextBytes(content);
        return content;
    }

    @Override
    public void check(RankContext context) {
        int world = context.test().world();
        int next = (context.rank() + 1) % world;
        int previous = (context.rank() + world - 1) % world;
        try (Opened opened = new Opened()) {
            TransferCall call = TransferCall.batch();
            DeviceBuffer[] received = new DeviceBuffer[2 * OFFSETS.size()];
            for (int message = 0; message < received.length; message++) {
                int offset = OFFSETS.get(message / 2);
                boolean registered = message % 2 == 0;
                DeviceBuffer sent = memory(context, opened, registered, message).slice(offset, BYTES);
                sent.copyFrom(MemorySegment.ofArray(content(context.rank(), message)));
                received[message] =
                        memory(context, opened, !registered, message).slice(BYTES - offset, BYTES);
                call = call.send(sent, next).receive(received[message], previous);
            }
            context.communicator().barrier(); // all have allocated: a waiting kernel blocks allocations on its device
            context.join(context.communicator().execute(call));
            for (int message = 0; message < received.length; message++) {
                byte[] found = new byte[BYTES];
                received[message].copyTo(MemorySegment.ofArray(found));
                int at = Arrays.mismatch(content(previous, message), found);
                if (at >= 0) {
                    context.report(
                            FindingKind.WRONG,
                            "message " + message + " of rank " + previous + " into "
                                    + (message % 2 == 0 ? "plain" : "registered") + " memory: byte " + at + " is "
                                    + found[at]);
                }
            }
        }
    }

    private static DeviceBuffer memory(RankContext context, Opened opened, boolean registered, int message) {
        long bytes = 2L * BYTES + message;
        return opened.add(
                registered
                        ? context.communicator().allocate(bytes)
                        : context.communicator().device().allocate(bytes),
                DeviceBuffer::close);
    }
}
