package org.mscclj.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.option.CallOptions;

/** A null among the elements of a list is refused by an exception that names the list and the place. */
class NullElementsTest {
    private static final List<Integer> RANKS = Arrays.asList(0, null);

    @Test
    void theListAndThePlaceAreNamed() {
        assertNames("devices[1]", () -> LocalGroupOptions.ranks(2).devices(RANKS));
        assertNames("survivors[1]", () -> Quorum.of("second", RANKS, 1));
        assertNames("messages[0]", () -> new TransferCall(Collections.singletonList(null), CallOptions.NONE));
    }

    private static void assertNames(String place, Runnable call) {
        assertEquals(place, assertThrows(NullPointerException.class, call::run).getMessage());
    }
}
