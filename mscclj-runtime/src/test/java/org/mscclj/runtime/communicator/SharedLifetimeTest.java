package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedLifetimeTest {
    @Test
    void everyReleaseRunsAlthoughOneFails() {
        List<String> done = new ArrayList<>();
        SharedLifetime lifetime = new SharedLifetime(3, () -> done.add("afterwards"));
        lifetime.ofRank(0).closed(() -> done.add("first"));
        lifetime.ofRank(1).closed(() -> {
            throw new IllegalStateException("second");
        });
        assertEquals(List.of(), done);
        assertThrows(IllegalStateException.class, () -> lifetime.ofRank(2).closed(() -> done.add("third")));
        assertEquals("afterwards", done.removeLast());
        Collections.sort(done);
        assertEquals(List.of("first", "third"), done);
    }

    /** As a rank does that calls shrink again and again when the meeting has been aborted. */
    @Test
    void whoDepartsAgainCountsOnce() {
        List<String> done = new ArrayList<>();
        SharedLifetime lifetime = new SharedLifetime(2, () -> done.add("afterwards"));
        lifetime.ofRank(1).closed(() -> done.add("memory"));
        lifetime.ofRank(1).closed(() -> {});
        lifetime.ofRank(1).closed(() -> {});
        assertEquals(List.of(), done);
        lifetime.ofRank(0).closed(() -> {});
        assertEquals(List.of("memory", "afterwards"), done);
        lifetime.ofRank(0).closed(() -> done.add("late"));
        assertEquals(List.of("memory", "afterwards", "late"), done);
    }
}
