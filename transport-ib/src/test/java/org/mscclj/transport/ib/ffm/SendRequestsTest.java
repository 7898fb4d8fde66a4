package org.mscclj.transport.ib.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.posix.NativeMemory;
import org.mscclj.transport.ib.ffm.Layouts.SendWr;

class SendRequestsTest {
    private static final int CAPACITY = 3;

    private static void write(SendRequests requests, long number) {
        requests.write(number, false, false, 1, 1, 1, 1, 1);
    }

    /** The numbers of the requests that a call posts, in its order. */
    private static List<Long> chain(SendRequests requests) {
        List<Long> numbers = new ArrayList<>();
        for (long at = requests.address(); at != 0; at = NativeMemory.getLong(at + SendWr.NEXT)) {
            numbers.add(NativeMemory.getLong(at + SendWr.WR_ID));
        }
        return numbers;
    }

    @Test
    void requestsAreLinkedInTheirOrder() {
        try (SendRequests requests = new SendRequests(CAPACITY)) {
            assertTrue(requests.isEmpty());
            write(requests, 7);
            assertFalse(requests.isEmpty());
            requests.read(8, 1, 1, 1, 1, 1);
            assertFalse(requests.isFull());
            requests.increment(9, 1, 1, 1, 1);
            assertTrue(requests.isFull());
            assertEquals(List.of(7L, 8L, 9L), chain(requests));
        }
    }

    @Test
    void aShorterChainEndsWhereItEnds() {
        try (SendRequests requests = new SendRequests(CAPACITY)) {
            for (long number = 1; number <= CAPACITY; number++) {
                write(requests, number);
            }
            requests.clear();
            assertTrue(requests.isEmpty());
            write(requests, 4);
            assertEquals(List.of(4L), chain(requests));
            requests.writeWithImmediate(5, false, 1, 1, 1, 1, 1, 0);
            assertEquals(List.of(4L, 5L), chain(requests));
        }
    }
}
