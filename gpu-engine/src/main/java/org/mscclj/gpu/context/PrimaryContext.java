package org.mscclj.gpu.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.gpu.driver.GpuDriver;

/** The context that all software of this process shares on a GPU. */
final class PrimaryContext {
    private PrimaryContext() {}

    static long retain(GpuDriver driver, int ordinal) {
        String function = "retaining the primary context of GPU " + ordinal;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment context = arena.allocate(ValueLayout.JAVA_LONG);
            int result = driver.devices().retainContext(ordinal, context);
            if (driver.errors().isOutOfMemory(result)) { // the driver also uses this result for hardware queues
                throw driver.failure(
                        result,
                        function
                                + ", which has no memory or no hardware queues left for one more process (this one"
                                + " asks for "
                                + driver.traits().hardwareQueues()
                                + " queues: processes that share a GPU may have fewer, such as 8, by "
                                + driver.terms().queuesVariable() + "),");
            }
            driver.check(result, function);
            return context.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    static void release(GpuDriver driver, int ordinal) {
        driver.checkFreed(driver.devices().releaseContext(ordinal), "releasing the primary context of GPU " + ordinal);
    }
}
