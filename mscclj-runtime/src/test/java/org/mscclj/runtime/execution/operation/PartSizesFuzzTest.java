package org.mscclj.runtime.execution.operation;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.fuzz.Fuzz;

/** Decoding the sizes that ranks contribute when they prepare point-to-point transfers is total. */
class PartSizesFuzzTest {
    @Test
    void sizesOfParts() {
        PartSizes sizes = new PartSizes(Map.of(0, List.of(4L), 1, List.of(8L, 0L)), Map.of(1, List.of(Long.MAX_VALUE)));
        Fuzz.run(
                "sizes",
                List.of(sizes.encode()),
                message -> PartSizes.requireEqualAtBothEnds(
                        "alltoall", List.of(new Message(message), new Message(sizes.encode()))));
    }
}
