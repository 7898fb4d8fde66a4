package org.mscclj.runtime.multicast;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.runtime.fuzz.Fuzz;
import org.mscclj.spi.device.MemoryNeeds;

/** Decoding the offers of ranks for multicast groups is total. */
class GroupOfferFuzzTest {
    @Test
    void offers() {
        Fuzz.run(
                "offer",
                List.of(
                        GroupOffer.refused("no switch").encode(),
                        new GroupOffer(
                                        "",
                                        "nvls",
                                        new MemoryNeeds(2 << 20, "posix-fd"),
                                        List.of(0L, 4096L),
                                        List.of(new byte[] {1, 2}, new byte[0]))
                                .encode()),
                GroupOffer::decode);
    }
}
