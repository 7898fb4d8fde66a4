package org.mscclj.conformance.rank.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks memory of the host: it is zeroed, a stream copies it to the device and back, and accesses fail after its
 * buffer is closed.
 */
final class HostAllocationCheck implements RankCheck {
    /** No multiple of the size that a copy moves at once. */
    static final int BYTES = 5003;

    @Override
    public void check(RankContext context) {
        Device device = context.communicator().device();
        MemorySegment kept;
        try (DeviceBuffer source = device.allocateHost(BYTES);
                DeviceBuffer inDevice = device.allocate(BYTES);
                DeviceBuffer target = device.allocateHost(BYTES);
                DeviceBuffer empty = device.allocateHost(0);
                Stream stream = device.createStream()) {
            kept = source.segment();
            requireZeros(context, kept);
            if (empty.segment().byteSize() != 0) {
                context.report(FindingKind.BEHAVIOUR, "the segment of 0 bytes of host memory is not empty");
            }
            fill(kept, context.rank());
            stream.copy(source, inDevice);
            stream.copy(inDevice, target);
            context.synchronize(stream);
            requireCopied(context, kept, target.segment());
        }
        try {
            kept.fill((byte) 1);
            context.report(FindingKind.BEHAVIOUR, "the host can write memory whose buffer is closed");
        } catch (IllegalStateException refused) {
            return; // expected
        }
    }

    private static void requireZeros(RankContext context, MemorySegment segment) {
        if (segment.byteSize() != BYTES) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "the segment of " + BYTES + " bytes of host memory has " + segment.byteSize());
        }
        for (long i = 0; i < segment.byteSize(); i++) {
            if (segment.get(ValueLayout.JAVA_BYTE, i) != 0) {
                context.report(FindingKind.BEHAVIOUR, "new host memory is not zeros: byte " + i + " is not");
                return;
            }
        }
    }

    /** Fills a segment with bytes that differ for each salt. */
    static void fill(MemorySegment segment, int salt) {
        for (long i = 0; i < segment.byteSize(); i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + salt + 1));
        }
    }

    /** Requires that the bytes which the host wrote have returned to the host. */
    static void requireCopied(RankContext context, MemorySegment source, MemorySegment target) {
        long wrong = source.mismatch(target);
        if (wrong >= 0) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "what the host wrote has not come back by way of the device: byte " + wrong + " is wrong");
        }
    }
}
