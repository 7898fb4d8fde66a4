package org.mscclj.runtime.collective;

import java.util.List;
import java.util.function.Consumer;
import org.mscclj.api.error.MsccljException;

/** Launches that belong together, of which one has failed. */
final class JoinedParts {
    private JoinedParts() {}

    /**
     * Waits for all of them after an abort: they end as well, and their buffers are in use until then.
     *
     * @param join waits for one; what it throws has the reason that the caller throws already
     */
    static <T> void awaitEnds(List<T> parts, Consumer<T> join) {
        for (T part : parts) {
            try {
                join.accept(part);
            } catch (MsccljException _) {
                // it has ended, or has had its time
            }
        }
    }
}
