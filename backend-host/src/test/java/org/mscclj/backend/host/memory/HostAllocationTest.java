package org.mscclj.backend.host.memory;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.BackendException;

class HostAllocationTest {
    @ParameterizedTest
    @ValueSource(longs = {(1L << 47) + 1, Long.MAX_VALUE - 4096, Long.MAX_VALUE})
    void moreThanAProcessCanAddressIsRefused(long bytes) {
        BackendException refused =
                assertThrows(BackendException.class, () -> HostAllocation.take(bytes, MemorySource.ofProcess()));
        assertTrue(refused.getMessage().contains(Long.toString(bytes)), refused::getMessage);
    }
}
