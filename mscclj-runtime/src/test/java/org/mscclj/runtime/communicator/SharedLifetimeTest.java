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
        lifetime.closed(() -> done.add("first"));
        lifetime.closed(() -> {
            throw new IllegalStateException("second");
        });
        assertEquals(List.of(), done);
        assertThrows(IllegalStateException.class, () -> lifetime.closed(() -> done.add("third")));
        assertEquals("afterwards", done.removeLast());
        Collections.sort(done);
        assertEquals(List.of("first", "third"), done);
    }
}
