package org.mscclj.gpu.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInBackend;
import org.mscclj.spi.device.BackendDevice;

@ResourceLock(StandIn.RESOURCE)
class HostWordsTest {
    private static final int LINES_OF_A_PIECE = 512;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @Test
    void wordsAreGivenOutAgainAndAre0() {
        try (StandInBackend backend = new StandInBackend();
                BackendDevice device = backend.openDevice(0);
                HostWords words = new HostWords(device)) {
            long pinned = StandIn.live().get(StandIn.Kind.PINNED);
            Set<Long> addresses = new HashSet<>();
            for (int i = 0; i < 3 * LINES_OF_A_PIECE; i++) {
                HostWords.Words taken = words.take(3);
                addresses.add(taken.address());
                for (int word = 0; word < 3; word++) {
                    assertEquals(0, taken.getAcquire(word));
                    taken.setRelease(word, i + 1);
                }
                words.giveBack(taken);
            }
            assertTrue(addresses.size() <= LINES_OF_A_PIECE);
            assertEquals(pinned + 1, StandIn.live().get(StandIn.Kind.PINNED));
        }
    }
}
