package org.mscclj.runtime.channel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.runtime.fuzz.Fuzz;
import org.mscclj.spi.device.MemoryHandle;

/** Decoding what a rank says of memory for channels made by hand is total. */
class MemoryDescriptionFuzzTest {
    @Test
    void changedDescriptionsAreDecodedOrRefused() {
        MemoryHandle handle = new MemoryHandle("host", new byte[] {1, 2, 3, 4});
        Fuzz.run(
                "memory",
                List.of(
                        new ChannelMemoryDescription(1, 64, Optional.of(handle), "", Map.of("tcp", new byte[] {5, 6}))
                                .encode(),
                        new ChannelMemoryDescription(1, 64, Optional.empty(), "it cannot be mapped", Map.of())
                                .encode()),
                ChannelMemoryDescription::decode);
    }
}
