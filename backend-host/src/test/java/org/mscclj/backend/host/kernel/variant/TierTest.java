package org.mscclj.backend.host.kernel.variant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mscclj.posix.NativeMemory;

class TierTest {
    private static final long LOTS = 1 << 30;

    @Test
    void promotesTheFasterKernelOnceThereIsEnoughToDo() {
        Tier<String> tier = new Tier<>("slow", "fast", TierTest::trial);
        assertEquals("slow", tier.kernel(1));
        Tier.await();
        assertEquals("slow", tier.kernel(1), "not worth it yet");
        for (int run = 0; run < 1 << 16; run++) {
            tier.kernel(64);
        }
        Tier.await();
        assertEquals("slow", tier.kernel(1), "small runs need no vectors, however many there are");

        assertEquals("slow", tier.kernel(LOTS));
        Tier.await();
        assertEquals("fast", tier.kernel(1));
    }

    @Test
    void keepsTheScalarKernelWhereVectorsAreSlow() {
        Tier<String> tier = new Tier<>("fast", "slow", TierTest::trial, TimeUnit.MILLISECONDS.toNanos(20));
        tier.kernel(LOTS);
        Tier.await();
        assertEquals("fast", tier.kernel(LOTS));
    }

    private static void trial(String kernel, long memory) {
        NativeMemory.setLong(memory + Tier.MEMORY_BYTES - Long.BYTES, 1);
        long end = System.nanoTime() + (kernel.equals("slow") ? 100_000 : 0);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
