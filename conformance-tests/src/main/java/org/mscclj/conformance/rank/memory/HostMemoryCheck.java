package org.mscclj.conformance.rank.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/** Checks that the host can write device memory directly. A copy reads it back. */
final class HostMemoryCheck implements RankCheck {
    private static final int BYTES = 1024;

    @Override
    public void check(RankContext context) {
        try (DeviceBuffer buffer = context.communicator().device().allocate(BYTES);
                Arena arena = Arena.ofConfined()) {
            MemorySegment segment = buffer.segment();
            for (int i = 0; i < BYTES; i++) {
                segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
            }
            MemorySegment image = arena.allocate(BYTES);
            buffer.copyTo(image);
            if (segment.mismatch(image) >= 0) {
                context.report(FindingKind.BEHAVIOUR, "what the host wrote differs from what was copied back");
            }
        }
    }
}
