package org.mscclj.interposer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.error.InvalidArgumentException;

/** Unique ids of 128 bytes. */
class BinaryIdTest {
    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "fe80:0:0:0:1:2:3:4"})
    void whatIsWrittenIsRead(String host) {
        RendezvousAddress address = RendezvousAddress.of(host, new PortRange(65535, 65535));
        BinaryId id = new BinaryId(new StoreAddress(address, UniqueId.randomSecret(), Optional.empty()), -3);
        byte[] bytes = id.bytes();
        assertEquals(128, bytes.length);
        assertEquals(id, BinaryId.parse(bytes));
        assertFalse(id.toString().contains(id.store().secret()), id::toString);
    }

    @Test
    void otherIdsAreRefused() {
        InvalidArgumentException refusal =
                assertThrows(InvalidArgumentException.class, () -> BinaryId.parse(new byte[128]));
        assertTrue(refusal.getMessage().contains("ncclGetUniqueId"), refusal::getMessage);
    }
}
