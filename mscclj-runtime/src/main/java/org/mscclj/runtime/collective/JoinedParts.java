package org.mscclj.runtime.collective;

import java.time.Duration;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.mscclj.api.Work;
import org.mscclj.api.error.MsccljException;
import org.mscclj.runtime.work.AbortableWork;

/** The launches of one call, of which one has failed. */
final class JoinedParts {
    private JoinedParts() {}

    /** Joins a part, for {@link #awaitEnds}. */
    static void join(Work part, long nanos) {
        part.join(Duration.ofNanos(nanos));
    }

    /**
     * Waits for all parts after an abort: they end as well, and use their buffers until then. All parts together have
     * the given time.
     *
     * @param nanos the longest time to wait, in nanoseconds
     * @param join waits for one part, for up to a number of nanoseconds; its exceptions have the reason that the caller
     *     already throws
     */
    static <T> void awaitEnds(List<T> parts, long nanos, ObjLongConsumer<T> join) {
        long most = Math.min(nanos, AbortableWork.MAX_END_NANOS);
        long start = System.nanoTime();
        for (T part : parts) {
            try {
                join.accept(part, Math.max(0, most - (System.nanoTime() - start)));
            } catch (MsccljException _) {
                // this part has ended, or its time is over
            }
        }
    }
}
