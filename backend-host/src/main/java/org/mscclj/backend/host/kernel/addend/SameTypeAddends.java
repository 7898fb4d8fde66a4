package org.mscclj.backend.host.kernel.addend;

import org.mscclj.backend.host.kernel.scale.ScaleKernel;
import org.mscclj.posix.NativeMemory;

/**
 * Addends of the elements' type. Batches are copied and then scaled, while they are in the cache.
 *
 * @param scale scales in place
 * @param bytesOfElement bytes of an element, and of an addend
 * @param divisor divisor of sums; 1 for integers
 */
record SameTypeAddends(ScaleKernel scale, int bytesOfElement, double divisor) implements AddendKernel {
    /** A multiple of every element's size that fits into the second-level cache. */
    private static final long BATCH_BYTES = 64 * 1024;

    @Override
    public void contribute(long elements, long addends, long count, double factor) {
        long bytes = count * bytesOfElement;
        for (long done = 0; done < bytes; done += BATCH_BYTES) {
            long batch = Math.min(BATCH_BYTES, bytes - done);
            copy(elements + done, addends + done, batch);
            scale.scale(addends + done, batch, factor);
        }
    }

    @Override
    public void contributeBy(long elements, long addends, long count, long factor) {
        long bytes = count * bytesOfElement;
        for (long done = 0; done < bytes; done += BATCH_BYTES) {
            long batch = Math.min(BATCH_BYTES, bytes - done);
            copy(elements + done, addends + done, batch);
            scale.scaleBy(addends + done, batch, factor);
        }
    }

    @Override
    public void finish(long sums, long elements, long count) {
        long bytes = count * bytesOfElement;
        for (long done = 0; done < bytes; done += BATCH_BYTES) {
            long batch = Math.min(BATCH_BYTES, bytes - done);
            copy(sums + done, elements + done, batch);
            if (divisor != 1) {
                scale.divide(elements + done, batch, divisor);
            }
        }
    }

    private static void copy(long from, long to, long bytes) {
        if (from != to) {
            NativeMemory.copy(from, to, bytes);
        }
    }
}
