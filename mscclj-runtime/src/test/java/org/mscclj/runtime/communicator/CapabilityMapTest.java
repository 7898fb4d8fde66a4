package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mscclj.api.Capabilities;
import org.mscclj.api.Capability;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Platform;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.Feature;

class CapabilityMapTest {
    @Test
    void everyCapabilityIsAFeatureOfBackends() {
        Set<Capability> mapped = Arrays.stream(Feature.values())
                .map(CapabilityMap::of)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        assertEquals(EnumSet.allOf(Capability.class), mapped);
    }

    @Test
    void aCommunicatorSaysWhatItCanDo() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).backend("host"))) {
            Capabilities can = group.communicator(1).capabilities();
            assertTrue(can.has(Capability.WINDOWS));
            assertFalse(can.has(Capability.DEVICE_CHANNELS));
            assertTrue(can.reduces(DataType.BFLOAT16, ReduceOp.Kind.AVG));
            assertFalse(can.reduces(DataType.BFLOAT16, ReduceOp.Kind.BOR));
            assertEquals(can, group.communicator(0).capabilities());
        }
    }

    @Test
    void thePlatformHasAVersion() {
        assertFalse(Platform.instance().version().isBlank());
    }
}
