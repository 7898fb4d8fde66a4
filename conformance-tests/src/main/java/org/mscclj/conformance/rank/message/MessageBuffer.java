package org.mscclj.conformance.rank.message;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankContext;

/** A message in device memory, with guard bytes on both sides. */
public final class MessageBuffer implements AutoCloseable {
    private static final int AROUND = 64;
    private static final byte UNTOUCHED = 0x5a;

    private final DeviceBuffer memory;
    private final int bytes;

    /** Allocates memory for a message of this size. Its first content differs from every message that is sent. */
    public MessageBuffer(Communicator communicator, int bytes) {
        this.bytes = bytes;
        this.memory = communicator.device().allocate(bytes + 2L * AROUND);
        byte[] before = new byte[bytes + 2 * AROUND];
        Arrays.fill(before, UNTOUCHED);
        memory.copyFrom(MemorySegment.ofArray(before));
    }

    /** Returns the content of the message with a number. */
    private static byte[] content(long number, int bytes) {
        byte[] content = new byte[bytes];
        new Random(number).nextBytes(content);
        return content;
    }

    /** Returns the memory of the message. */
    public DeviceBuffer message() {
        return memory.slice(AROUND, bytes);
    }

    /** Writes the content of the message with a number. */
    public void fill(long number) {
        message().copyFrom(MemorySegment.ofArray(content(number, bytes)));
    }

    /** Reports changed guard bytes. */
    public void checkAround(RankContext context, String what) {
        byte[] found = new byte[bytes + 2 * AROUND];
        memory.copyTo(MemorySegment.ofArray(found));
        for (int at = 0; at < found.length; at++) {
            boolean inside = at >= AROUND && at < AROUND + bytes;
            if (!inside && found[at] != UNTOUCHED) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        what + " of " + bytes + " bytes: byte " + (at - AROUND) + " was written, and is " + found[at]);
                return;
            }
        }
    }

    /** Reports bytes that differ from the message with a number, and changed guard bytes. */
    public void check(RankContext context, String what, long number) {
        byte[] found = new byte[bytes + 2 * AROUND];
        memory.copyTo(MemorySegment.ofArray(found));
        byte[] right = new byte[found.length];
        Arrays.fill(right, UNTOUCHED);
        System.arraycopy(content(number, bytes), 0, right, AROUND, bytes);
        int at = Arrays.mismatch(right, found);
        if (at >= 0) {
            boolean inside = at >= AROUND && at < AROUND + bytes;
            context.report(
                    inside ? FindingKind.WRONG : FindingKind.OUTSIDE,
                    what + " of " + bytes + " bytes: byte " + (at - AROUND) + " is " + found[at] + ", right is "
                            + right[at]);
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
