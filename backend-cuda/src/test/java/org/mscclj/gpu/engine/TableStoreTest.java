package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInBackend;
import org.mscclj.spi.device.BackendDevice;

@ResourceLock(StandIn.RESOURCE)
class TableStoreTest {
    private static final int PLACES = 16;
    private static final long LARGEST = 32 << 10;

    private StandInBackend backend;
    private BackendDevice device;
    private TableStore store;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        backend = new StandInBackend();
        device = backend.openDevice(0);
        store = TableStore.ofTransfers(device);
    }

    @AfterEach
    void close() {
        store.close();
        device.close();
        backend.close();
    }

    @Test
    void whatIsReservedIsGivenBeforeOtherMemory() {
        List<TablePlace> places = new ArrayList<>();
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < PLACES; i++) {
            TablePlace place = store.take(LARGEST);
            places.add(place);
            addresses.add(place.memory().address());
            assertEquals(LARGEST, place.memory().byteSize());
        }
        assertEquals(PLACES, addresses.size());
        try (TablePlace one = store.take(8)) {
            assertTrue(addresses.add(one.memory().address()), "memory of its own");
        }
        TablePlace given = places.getFirst();
        given.close();
        given.close();
        try (TablePlace again = store.take(8);
                TablePlace other = store.take(8)) {
            assertEquals(given.memory().address(), again.memory().address());
            assertNotEquals(again.memory().address(), other.memory().address(), "closed twice, it is given once");
        }
        places.forEach(TablePlace::close);
    }

    @Test
    void tablesThatAreTooLargeGetMemoryOfTheirOwn() {
        try (TablePlace large = store.take(LARGEST + 8);
                TablePlace first = store.take(LARGEST)) {
            assertEquals(LARGEST + 8, large.memory().byteSize());
            assertEquals(LARGEST, first.memory().byteSize());
        }
    }
}
