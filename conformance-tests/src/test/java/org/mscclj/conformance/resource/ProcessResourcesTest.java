package org.mscclj.conformance.resource;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Alone: what other tests take would be counted. */
@Isolated
class ProcessResourcesTest {
    private static final int PIECES = 8192;
    private static final int BYTES = 64 << 10; // few enough that the C library does not map each piece

    @Test
    void theThreadsThatRunVirtualThreadsAreTheVmsOwn() throws InterruptedException {
        AtomicReference<List<String>> all = new AtomicReference<>(List.of());
        Thread.ofVirtual()
                .start(() -> all.set(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getClass().getSimpleName().startsWith("Carrier"))
                        .map(Thread::getName)
                        .toList()))
                .join();
        List<String> carriers = all.get();
        assertFalse(carriers.isEmpty(), "one of them ran this virtual thread");
        List<String> counted = ProcessResources.now().threads();
        assertTrue(carriers.stream().noneMatch(counted::contains), () -> carriers + " in " + counted);
    }

    /** Every eighth piece is still in use, so that nothing is given back by itself. */
    @Test
    void whatTheCLibraryKeepsIsNotInUse() {
        OptionalLong before = ProcessResources.now().nativeBytes();
        assumeTrue(before.isPresent(), "this system does not tell how much memory a process has");
        List<Arena> freed = new ArrayList<>();
        try (Arena kept = Arena.ofShared()) {
            for (int i = 0; i < PIECES; i++) {
                Arena arena = i % 8 == 0 ? kept : Arena.ofShared();
                arena.allocate(BYTES); // and is zeroed, so it is resident
                if (i % 8 != 0) {
                    freed.add(arena);
                }
            }
            freed.forEach(Arena::close);
            long more = ProcessResources.now().nativeBytes().orElseThrow() - before.getAsLong();
            assertTrue(
                    more < PIECES / 2L * BYTES, () -> more + " bytes more, and " + PIECES / 8 * BYTES + " are in use");
        }
    }
}
