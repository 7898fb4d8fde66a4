package org.mscclj.runtime.window;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Random;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;

/** What tests of windows have in common: ranks, and memory whose content a seed gives. */
final class WindowRanks {
    /** Longer than anything right takes. */
    static final Duration TIMEOUT = Duration.ofSeconds(45);

    private WindowRanks() {}

    static LocalGroup group(int ranks, int ranksPerNode) {
        return LocalGroup.open(LocalGroupOptions.ranks(ranks)
                .ranksPerNode(ranksPerNode)
                .backend("host")
                .timeout(TIMEOUT));
    }

    static byte[] message(long seed, int bytes) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return content;
    }

    static byte[] content(DeviceBuffer buffer) {
        byte[] content = new byte[Math.toIntExact(buffer.byteSize())];
        buffer.copyTo(MemorySegment.ofArray(content));
        return content;
    }
}
