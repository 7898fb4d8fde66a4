package org.mscclj.runtime.collective;

import java.time.Duration;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.mscclj.api.Work;
import org.mscclj.api.error.MsccljException;
import org.mscclj.runtime.work.AbortableWork;

/** Launches that belong together, of which one has failed. */
final class JoinedParts {
    private JoinedParts() {}

    /** Joins a part, for {@link #awaitEnds}. */
    static void join(Work part, long nanos) {
        part.join(Duration.ofNanos(nanos));
    }

    /**
     * Waits for all of them after an abort: they end as well, and their buffers are in use until then. Together they
     * have the time that one has.
     *
     * @param nanos for so long at most
     * @param join waits for one, for so many nanoseconds; what it throws has the reason that the caller throws already
     */
    static <T> void awaitEnds(List<T> parts, long nanos, ObjLongConsumer<T> join) {
        long most = Math.min(nanos, AbortableWork.LONGEST_END_NANOS);
        long start = System.nanoTime();
        for (T part : parts) {
            try {
                join.accept(part, Math.max(0, most - (System.nanoTime() - start)));
            } catch (MsccljException _) {
                // it has ended, or has had its time
            }
        }
    }
}
